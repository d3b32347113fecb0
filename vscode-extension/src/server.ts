/**
 * How the server is found, and what keeps it from being started.
 *
 * In this order: the command of `rewright.path`; the Python of `rewright.interpreter`; the folder's `.venv`, in a
 * trusted workspace only; `python3`. VS Code itself withholds the first two where the workspace sets them and is
 * not trusted.
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

export function findServer(): ServerCommand {
  const settings = vscode.workspace.getConfiguration('rewright');
  const command = settings.get<string>('path', '').trim();
  if (command !== '') {
    return { command, args: [] };
  }
  const interpreter = settings.get<string>('interpreter', '').trim();
  return { command: interpreter !== '' ? interpreter : (folderPython() ?? 'python3'), args: ['-m', MODULE] };
}

/** Returns why `server` cannot be started, as a sentence with what to do, or undefined if nothing is in its way. */
export async function obstacle(server: ServerCommand, cwd: string): Promise<string | undefined> {
  if (server.args.length === 0) {
    return path.isAbsolute(server.command) && !existsSync(server.command)
      ? `There is no \`${server.command}\`: set \`rewright.path\` to the command rewright-lsp.`
      : undefined;
  }
  try {
    await promisify(execFile)(server.command, ['-c', PROBE], { cwd, env: { ...process.env, PYTHONSAFEPATH: '1' } });
    return undefined;
  } catch (error) {
    return explanation(server.command, (error as { code?: number | string }).code);
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

function folderPython(): string | undefined {
  if (!vscode.workspace.isTrusted) {
    return undefined;
  }
  const inside = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
  return (vscode.workspace.workspaceFolders ?? [])
    .map((folder) => path.join(folder.uri.fsPath, '.venv', ...inside))
    .find((python) => existsSync(python));
}
