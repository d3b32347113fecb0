/**
 * The extension's entry: it owns the output, the commands and one connection to the server.
 * It knows nothing of rules or kernels; everything it shows comes from the server.
 */
import * as vscode from 'vscode';

import { Connection } from './connection';
import { Installer } from './install';
import { StatusItem } from './status';

/** The server's own commands, and what the first is given: the URIs of files. */
const CHECK = 'rewright.server.check';
const STOP = 'rewright.server.stop';
const CLEAR_CACHE = 'rewright.server.clearCache';

let connection: Connection | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel('Rewright', { log: true });
  const status = new StatusItem();
  const current = new Connection(context, output, status, new Installer(context, output));
  connection = current;
  context.subscriptions.push(
    output,
    status,
    vscode.commands.registerCommand('rewright.showOutput', () => { output.show(); }),
    vscode.commands.registerCommand('rewright.restart', () => current.restart()),
    vscode.commands.registerCommand('rewright.install', () => current.install()),
    vscode.commands.registerCommand('rewright.copyReport', () => current.copyReport()),
    vscode.commands.registerCommand('rewright.checkFile', () => checkActiveFile(current)),
    vscode.commands.registerCommand('rewright.stopChecks', () => current.execute(STOP)),
    vscode.commands.registerCommand('rewright.clearCache', () => current.execute(CLEAR_CACHE)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => current.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('rewright.interpreter') || change.affectsConfiguration('rewright.path')) {
        void current.restart();
      } else if (change.affectsConfiguration('rewright')) {
        void current.configure();
      }
    }),
  );
  await current.restart();
}

export async function deactivate(): Promise<void> {
  await connection?.stop();
}

async function checkActiveFile(current: Connection): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) {
    return;
  }
  await document.save();
  await current.execute(CHECK, document.uri.toString());
}
