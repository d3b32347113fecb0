/**
 * The panel *Counterexample*: one beside the editor, of the declaration that was chosen last, kept up to date.
 * Everything in it comes from the server; the page draws it, with no other source of scripts, styles or data.
 */
import { randomBytes } from 'node:crypto';

import * as vscode from 'vscode';

import type { Page, Place, Request } from './webview/page';

/** Runs a command of the server. */
type Execute = (command: string, ...args: string[]) => Promise<unknown>;

const COUNTEREXAMPLE = 'rewright.server.counterexample';
const PIN = 'rewright.server.pin';

export class CounterexamplePanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private subject: { readonly uri: string; readonly name: string } | undefined;
  private page: Page | undefined;

  constructor(
    private readonly folder: vscode.Uri,
    private readonly execute: Execute,
  ) {}

  /** Shows the counterexample of the declaration with a name in a file. */
  async show(uri: string, name: string): Promise<void> {
    this.subject = { uri, name };
    this.panel ??= this.opened();
    this.panel.reveal(undefined, true);
    await this.refresh();
  }

  /** Asks for what is shown again: something may be known that was not. */
  async refresh(): Promise<void> {
    if (this.panel === undefined || this.subject === undefined) {
      return;
    }
    const { uri, name } = this.subject;
    const page = (await this.execute(COUNTEREXAMPLE, uri, name)) as Page | null | undefined;
    if (page === null || page === undefined || JSON.stringify(page) === JSON.stringify(this.page)) {
      return;
    }
    this.page = page;
    this.panel.title = `Counterexample: ${page.title}`;
    await this.panel.webview.postMessage(page);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private opened(): vscode.WebviewPanel {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel('rewright.counterexample', 'Counterexample', column, {
      enableScripts: true,
      enableFindWidget: true,
      localResourceRoots: [this.folder],
    });
    panel.webview.html = html(panel.webview, this.folder);
    panel.webview.onDidReceiveMessage((request: Request) => this.take(request));
    panel.onDidDispose(() => {
      this.panel = this.page = this.subject = undefined;
    });
    return panel;
  }

  private async take(request: Request): Promise<void> {
    switch (request.type) {
      case 'ready':
        if (this.page !== undefined) {
          await this.panel?.webview.postMessage(this.page);
        }
        break;
      case 'copy':
        await this.copy(request.name);
        break;
      case 'pin':
        if (this.subject !== undefined) {
          await this.execute(PIN, this.subject.uri, this.subject.name);
        }
        break;
      case 'go':
        await go(request.place);
        break;
    }
  }

  private async copy(name: string): Promise<void> {
    const script = this.page?.scripts.find((each) => each.name === name);
    if (script !== undefined) {
      await vscode.env.clipboard.writeText(script.text);
      vscode.window.setStatusBarMessage(`Counterexample copied as ${name}`, 3000);
    }
  }
}

async function go({ uri, range: { start, end } }: Place): Promise<void> {
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection, viewColumn: vscode.ViewColumn.One });
}

function html(webview: vscode.Webview, folder: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const at = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at('counterexample.css')}">
<title>Counterexample</title>
</head>
<body>
<script nonce="${nonce}" src="${at('counterexample.js')}"></script>
</body>
</html>`;
}
