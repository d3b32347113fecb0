/** *Copy Set-up Report*: what somebody who helps has to know, without the names of people and of their files. */
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';

import * as vscode from 'vscode';

const PACKAGES = ['rewright', 'z3-solver', 'cvc5', 'numpy', 'python-flint', 'islpy', 'msgspec', 'sympy', 'tree-sitter', 'tree-sitter-c', 'tree-sitter-cuda', 'tree-sitter-mlir', 'tree-sitter-python', 'pygls', 'lsprotocol'];

const VERSIONS = [
  'import sys, platform, importlib.metadata as m',
  'print("Python", platform.python_version(), platform.platform())',
  'for name in sys.argv[1:]:',
  '    try: print(name, m.version(name))',
  '    except m.PackageNotFoundError: print(name, "is not installed")',
].join('\n');

const SETTINGS = ['check.trigger', 'check.workers', 'check.memory', 'inlayHints.verdicts', 'interpreter', 'path', 'trace.server'];

/** The report on the extension, and on the server that `python` starts, whose status item says `status`. */
export async function setupReport(extension: string, command: string | undefined, status: string): Promise<string> {
  const settings = vscode.workspace.getConfiguration('rewright');
  const lines = [
    `Rewright for VS Code ${extension}`,
    `${vscode.env.appName} ${vscode.version} on ${process.platform} ${process.arch}${vscode.env.remoteName === undefined ? '' : `, ${vscode.env.remoteName}`}`,
    `workspace: ${String(vscode.workspace.workspaceFolders?.length ?? 0)} folders, ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}`,
    `status: ${status}`,
    ...SETTINGS.map((name) => `rewright.${name} = ${JSON.stringify(settings.get(name))}`),
    `server: ${command ?? 'none was found'}`,
    ...(command === undefined ? [] : await versions(command)),
  ];
  return lines.join('\n').replaceAll(homedir(), '~');
}

async function versions(python: string): Promise<string[]> {
  try {
    const done = await promisify(execFile)(python, ['-I', '-c', VERSIONS, ...PACKAGES]);
    return done.stdout.trim().split('\n');
  } catch (error) {
    return [`its versions could not be read: ${String((error as { code?: unknown }).code)}`];
  }
}
