/**
 * *Install Rewright*: an environment in the extension's own storage, with the wheel that the extension carries. What the
 * wheel needs comes by version and hash from the package index, after a question, or from a folder of wheels.
 * `install/install.py` does it, and says in a sentence what went wrong.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import * as path from 'node:path';

import * as vscode from 'vscode';

import { newEnough, pythonOf } from './server';

const DOWNLOAD = 'Download';
const FOLDER = 'Use a Folder of Wheels…';

export class Installer {
  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.LogOutputChannel,
  ) {}

  /** The Python of the environment, whether that is there or not. */
  get python(): string {
    return existsSync(path.join(this.place, 'installed')) ? pythonOf(this.place) : '';
  }

  /** The wheel that the extension carries, undefined in one that was built without. */
  get wheel(): string | undefined {
    const folder = path.join(this.context.extensionPath, 'install');
    const found = existsSync(folder) ? readdirSync(folder).find((file) => file.endsWith('.whl')) : undefined;
    return found === undefined ? undefined : path.join(folder, found);
  }

  /** Asks where from, and installs; returns whether it did. */
  async run(): Promise<boolean> {
    const wheel = this.wheel;
    if (wheel === undefined) {
      void vscode.window.showErrorMessage('Rewright: This build of the extension carries no wheel: install the package rewright, and choose its Python in `rewright.interpreter`.');
      return false;
    }
    const python = await newEnough(this.context.extensionPath);
    if (python === undefined) {
      void vscode.window.showErrorMessage('Rewright: No Python 3.11 or newer was found: install one, or name it in `rewright.interpreter`.');
      return false;
    }
    const choice = await vscode.window.showInformationMessage(
      'Install Rewright in an environment of its own?',
      { modal: true, detail: `The extension carries Rewright itself. What it needs (solvers, NumPy and others, about 90 MB) is downloaded from the Python Package Index, or taken from a folder of wheels. ${python} is used; nothing is installed in it.` },
      DOWNLOAD,
      FOLDER,
    );
    if (choice === undefined) {
      return false;
    }
    const folder = choice === FOLDER ? await this.folder() : [];
    return folder !== undefined && this.install(python, [this.place, wheel, path.join(path.dirname(wheel), 'requirements.txt'), ...folder]);
  }

  private get place(): string {
    const version = (this.context.extension.packageJSON as { version: string }).version;
    return path.join(this.context.globalStorageUri.fsPath, `environment-${version}`);
  }

  private async folder(): Promise<string[] | undefined> {
    const chosen = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, title: 'The folder of wheels', openLabel: 'Install from Here' });
    return chosen?.[0] === undefined ? undefined : [chosen[0].fsPath];
  }

  private async install(python: string, given: string[]): Promise<boolean> {
    const problem = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Installing Rewright', cancellable: true },
      (progress, token) => this.installing(python, given, progress, token),
    );
    if (problem !== undefined) {
      this.output.error(problem);
      void vscode.window.showErrorMessage(`Rewright: ${problem}`);
    }
    return problem === undefined;
  }

  private installing(python: string, given: string[], progress: vscode.Progress<{ message: string }>, token: vscode.CancellationToken): Promise<string | undefined> {
    const script = path.join(this.context.extensionPath, 'install', 'install.py');
    return new Promise((resolve) => {
      const child = execFile(python, ['-I', script, ...given], { cwd: this.context.extensionPath }, (error, _, said) => {
        const reason = said.trim().split('\n').at(-1);
        resolve(error === null ? undefined : token.isCancellationRequested ? 'The installation was cancelled.' : (reason ?? error.message));
      });
      child.stdout?.on('data', (data) => {
        const message = String(data).trim();
        this.output.info(message);
        progress.report({ message });
      });
      token.onCancellationRequested(() => child.kill());
    });
  }
}
