/**
 * The extension's entry: it owns the output, the commands and one connection to the server.
 * It knows nothing of rules or kernels; everything it shows comes from the server.
 */
import * as vscode from 'vscode';

import { Connection, SHOW_COUNTEREXAMPLE } from './connection';
import { Installer } from './install';
import { CounterexamplePanel } from './panel';
import { rows } from './rows';
import { Ruler } from './ruler';
import { StatusItem } from './status';
import { Tests } from './testing';

/** The server's own commands, and what the first is given: the URIs of files. */
const CHECK = 'rewright.server.check';
const STOP = 'rewright.server.stop';
const CHECK_AT = 'rewright.server.checkAt';
const CLEAR_CACHE = 'rewright.server.clearCache';

let connection: Connection | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel('Rewright', { log: true });
  const status = new StatusItem();
  const current = new Connection(context, output, status, new Installer(context, output));
  connection = current;
  const panel = new CounterexamplePanel(vscode.Uri.joinPath(context.extensionUri, 'dist'), (command, ...args) => current.execute(command, ...args));
  const tests = new Tests(current);
  const ruler = new Ruler(current);
  current.onNews(() => {
    tests.changed();
    ruler.changed();
    return panel.refresh();
  });
  context.subscriptions.push(
    output,
    status,
    panel,
    tests,
    ruler,
    vscode.commands.registerCommand(SHOW_COUNTEREXAMPLE, (uri: string, name: string) => panel.show(uri, name)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === 'rewright') {
        tests.changed();
        ruler.changed();
      }
    }),
    vscode.commands.registerCommand('rewright.showOutput', () => { output.show(); }),
    vscode.commands.registerCommand('rewright.restart', () => current.restart()),
    vscode.commands.registerCommand('rewright.install', () => current.install()),
    vscode.commands.registerCommand('rewright.copyReport', () => current.copyReport()),
    vscode.commands.registerCommand('rewright.openManual', () => openManual(current)),
    vscode.commands.registerCommand('rewright.openExample', (name: string) => openExample(context, name)),
    vscode.commands.registerCommand('rewright.walkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`, false)),
    vscode.commands.registerCommand('rewright.checkAtCursor', () => checkAtCursor(current)),
    vscode.commands.registerCommand('rewright.checkFile', () => checkActiveFile(current)),
    vscode.commands.registerCommand('rewright.checkWorkspace', () => checkWorkspace(current)),
    vscode.commands.registerCommand('rewright.listOpen', () => listOpen(current)),
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
  if (!document.isUntitled) {
    await document.save();
  }
  await current.execute(CHECK, document.uri.toString());
}

async function checkAtCursor(current: Connection): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    await current.execute(CHECK_AT, editor.document.uri.toString(), editor.selection.active.line);
  }
}

/** Opens the example of a step of the walkthrough as a document that is not saved, which completes the step. */
async function openExample(context: vscode.ExtensionContext, name: string): Promise<void> {
  const file = vscode.Uri.joinPath(context.extensionUri, 'walkthrough', `${name}.rw`);
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: 'rewright', content });
  await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
  await vscode.commands.executeCommand('setContext', `rewright.opened.${name}`, true);
}

/** Shows the first page of the documentation, whose text the server has. */
async function openManual(current: Connection): Promise<void> {
  if (await current.isReady()) {
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.parse('rewright:/index.md'));
  }
}

async function checkWorkspace(current: Connection): Promise<void> {
  await vscode.workspace.saveAll();
  await current.execute(CHECK);
}

/** Lists what is refuted, unknown or not checked; a choice goes there. */
async function listOpen(current: Connection): Promise<void> {
  const found = (await rows(current))?.filter((row) => !row.asExpected);
  if (found === undefined) {
    return;
  }
  if (found.length === 0) {
    void vscode.window.showInformationMessage('Rewright: every declaration is as expected.');
    return;
  }
  const choices = found.map((each) => {
    const uri = vscode.Uri.parse(each.uri);
    const where = `${vscode.workspace.asRelativePath(uri)}:${String(each.line + 1)}`;
    return { label: each.name, description: each.label, detail: each.reason === null ? where : `${where}: ${each.reason}`, uri, line: each.line };
  });
  const chosen = await vscode.window.showQuickPick(choices, { title: 'Not as expected', matchOnDescription: true, matchOnDetail: true });
  if (chosen !== undefined) {
    await vscode.window.showTextDocument(chosen.uri, { selection: new vscode.Range(chosen.line, 0, chosen.line, 0) });
  }
}
