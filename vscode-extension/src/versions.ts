/** Which servers this extension works with: those of its major version; before 1.0, of its minor one. */

/** Returns what is wrong with the pair of versions, as a sentence, or undefined if they work together. */
export function mismatch(extension: string, server: string | undefined): string | undefined {
  if (server !== undefined && series(server) === series(extension)) {
    return undefined;
  }
  return `The extension is version ${extension}, the server ${server ?? 'does not say which'}: install the same version of both.`;
}

function series(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor ?? ''}` : (major ?? '');
}
