/**
 * How the server is found, and what keeps it from being started.
 *
 * In this order: the command of `rewright.path`; the Python of `rewright.interpreter`; then the first Python that has the
 * package: the folder's `.venv` and the one chosen in the Python extension, both in a trusted workspace only; the
 * environment that *Install Rewright* made; `python3`. VS Code itself withholds the first two where the workspace sets
 * them and is not trusted.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';

import * as vscode from 'vscode';

const MODULE = 'rewright.lsp';
const MODULE_MISSING = 3;
const PYTHON_TOO_OLD = 4;

/** Looks without importing anything of the package. */
const PROBE = [
  'import sys, importlib.util as u',
  `sys.exit(${String(PYTHON_TOO_OLD)} if sys.version_info < (3, 11) else ${String(MODULE_MISSING)} if u.find_spec("rewright") is None else 0)`,
].join('\n');

export interface ServerCommand {
  readonly command: string;
  readonly args: string[];
}

/** What keeps a server from being started: a sentence with what to do, and whether to install Rewright would help. */
export interface Obstacle {
  readonly sentence: string;
  readonly isMissing: boolean;
}

/** The server to start, or why there is none. `own` is the Python of the environment that *Install Rewright* makes. */
export async function findServer(own: string, cwd: string): Promise<ServerCommand | Obstacle> {
  const settings = vscode.workspace.getConfiguration('rewright');
  const command = settings.get<string>('path', '').trim();
  if (command !== '') {
    return path.isAbsolute(command) && !existsSync(command)
      ? { sentence: `There is no \`${command}\`: set \`rewright.path\` to the command rewright-lsp.`, isMissing: false }
      : { command, args: [] };
  }
  const interpreter = settings.get<string>('interpreter', '').trim();
  const pythons = interpreter !== '' ? [interpreter] : [...folderPythons(), ...chosenPython(), ...(existsSync(own) ? [own] : []), 'python3'];
  const problems: Obstacle[] = [];
  for (const python of new Set(pythons)) {
    const code = await probe(python, cwd);
    if (code === 0) {
      return { command: python, args: ['-m', MODULE] };
    }
    problems.push({ sentence: explanation(python, code) + withheld(), isMissing: interpreter === '' });
  }
  return problems[0] ?? { sentence: 'There is no Python.', isMissing: true };
}

/** A Python that is new enough for Rewright, whether it has the package or not; undefined if none is found. */
export async function newEnough(cwd: string): Promise<string | undefined> {
  const interpreter = vscode.workspace.getConfiguration('rewright').get<string>('interpreter', '').trim();
  const named = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];
  for (const python of new Set([...(interpreter !== '' ? [interpreter] : []), ...chosenPython(), ...named])) {
    const code = await probe(python, cwd);
    if (code === 0 || code === MODULE_MISSING) {
      return python;
    }
  }
  return undefined;
}

async function probe(python: string, cwd: string): Promise<number | string | undefined> {
  try {
    await promisify(execFile)(python, ['-c', PROBE], { cwd, env: { ...process.env, PYTHONSAFEPATH: '1' } });
    return 0;
  } catch (error) {
    return (error as { code?: number | string }).code;
  }
}

function explanation(python: string, code: number | string | undefined): string {
  switch (code) {
    case MODULE_MISSING:
      return `The package rewright is not installed in \`${python}\`: install it there, or choose another Python in \`rewright.interpreter\`.`;
    case PYTHON_TOO_OLD:
      return `\`${python}\` is older than Python 3.11: choose another one in \`rewright.interpreter\`.`;
    case 'ENOENT':
      return `There is no \`${python}\`: choose a Python that has the package rewright in \`rewright.interpreter\`.`;
    default:
      return `\`${python}\` could not be run (${String(code)}): choose a Python that has the package rewright in \`rewright.interpreter\`.`;
  }
}

/** What was not looked at because the workspace is not trusted. */
function withheld(): string {
  return vscode.workspace.isTrusted ? '' : ' The workspace is not trusted, so its `.venv` and its settings were not used.';
}

function folderPythons(): string[] {
  if (!vscode.workspace.isTrusted) {
    return [];
  }
  return (vscode.workspace.workspaceFolders ?? [])
    .map((folder) => pythonOf(path.join(folder.uri.fsPath, '.venv')))
    .filter((python) => existsSync(python));
}

/** The Python chosen in Microsoft's extension, if that runs. */
function chosenPython(): string[] {
  const extension = vscode.workspace.isTrusted ? vscode.extensions.getExtension('ms-python.python') : undefined;
  const exported: unknown = extension?.isActive === true ? extension.exports : undefined;
  const environments = (exported as { environments?: { getActiveEnvironmentPath?: () => { path?: unknown } } } | undefined)?.environments;
  const chosen = environments?.getActiveEnvironmentPath?.().path;
  return typeof chosen === 'string' && path.isAbsolute(chosen) ? [chosen] : [];
}

/** The Python of a virtual environment. */
export function pythonOf(environment: string): string {
  return path.join(environment, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
}
