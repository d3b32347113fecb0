/**
 * The life of one server process: start, stop, restart, one at a time and in the order asked.
 * Whatever keeps the server from running is told in a sentence with a way out, and in the status item.
 * Invariant: at most one client is alive. A client never starts its server again by itself: a server that ended gets a
 * new client here, so that what the old one registered (commands, above all) is gone before.
 */
import * as vscode from 'vscode';
import { CloseAction, DidChangeConfigurationNotification, ExecuteCommandRequest, LanguageClient, RevealOutputChannelOn, State, TransportKind } from 'vscode-languageclient/node';
import type { ErrorHandler, ExecuteCommandSignature, LanguageClientOptions, StaticFeature } from 'vscode-languageclient/node';

import type { Installer } from './install';
import { setupReport } from './report';
import { findServer } from './server';
import type { Obstacle, ServerCommand } from './server';
import { STATUS } from './status';
import type { StatusItem } from './status';
import { mismatch } from './versions';

/** The server's command that returns a formula as LaTeX. */
const LATEX = 'rewright.server.latex';

/** The command of this extension that lenses and actions of the server name. */
export const SHOW_COUNTEREXAMPLE = 'rewright.showCounterexample';

/** Says which commands of its own this client has. */
const OFFERS: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { commands: { commands: [SHOW_COUNTEREXAMPLE] } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** Copies what a command of the server returns as LaTeX. */
async function copying(command: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  const answer: unknown = await next(command, args);
  if (command === LATEX && typeof answer === 'string' && answer !== '') {
    await vscode.env.clipboard.writeText(answer);
    vscode.window.setStatusBarMessage('Formula copied as LaTeX', 3000);
  }
  return answer;
}

/** What the server is told of: rules, saved or not, and sources (C, CUDA, graphs) under whatever language they are opened. */
const DOCUMENTS = [
  { scheme: 'file', language: 'rewright' },
  { scheme: 'untitled', language: 'rewright' },
  { scheme: 'file', pattern: '**/*.{c,cu,cuh,mlir,hlo,hlo.txt,fx.py,fx.txt}' },
];

/** Servers that may end by themselves within `WHILE` milliseconds before no other one is started unasked. */
const MOST_ENDS = 4;
const WHILE = 3 * 60 * 1000;

/** A client that leaves it to its owner to tell what keeps the server from running, and to start another one. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override createDefaultErrorHandler(maxRestartCount?: number): ErrorHandler {
    const usual = super.createDefaultErrorHandler(maxRestartCount);
    return {
      error: (error, message, count) => usual.error(error, message, count),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    };
  }
}

export class Connection {
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  /** The program that runs the server, undefined if none was found. */
  private found: string | undefined;
  /** When servers ended by themselves. */
  private ends: number[] = [];
  /** Messages about what keeps the server from running that may still be shown. */
  private told = 0;
  /** Called when the server says that something may have become known. */
  private listener: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.LogOutputChannel,
    private readonly status: StatusItem,
    private readonly installer: Installer,
  ) {}

  restart(): Promise<void> {
    this.ends = [];
    return this.inOrder(async () => {
      await this.end();
      await this.begin();
    });
  }

  stop(): Promise<void> {
    return this.inOrder(() => this.end());
  }

  /** Tells a running server the settings that it acts on. */
  async configure(): Promise<void> {
    await this.queue;
    if (this.client?.isRunning() === true) {
      await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings: { rewright: currentSettings() } });
    }
  }

  get isRunning(): boolean {
    return this.client?.isRunning() === true;
  }

  /** Whether a server runs, once what was asked is done; if not, that is told. */
  async isReady(): Promise<boolean> {
    await this.queue;
    if (!this.isRunning) {
      await this.explain('The server is not running.');
    }
    return this.isRunning;
  }

  async execute(command: string, ...args: (string | number)[]): Promise<unknown> {
    return (await this.isReady()) ? this.client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: args }) : undefined;
  }

  /** Installs Rewright in an environment of its own, and starts the server from there. */
  async install(): Promise<void> {
    if (await this.installer.run()) {
      await this.restart();
    }
  }

  onNews(listener: () => Promise<void>): void {
    this.listener = listener;
  }

  async copyReport(): Promise<void> {
    const version = (this.context.extension.packageJSON as { version: string }).version;
    await vscode.env.clipboard.writeText(await setupReport(version, this.found, this.status.text));
    vscode.window.setStatusBarMessage('Set-up report copied', 3000);
  }

  private inOrder(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step, step);
    return this.queue;
  }

  private async begin(): Promise<void> {
    this.status.starting();
    // Outside the workspace, so that no file of it can pass for one of the server's modules.
    const cwd = this.context.extensionPath;
    const server = await findServer(this.installer.python, cwd);
    this.found = 'command' in server ? server.command : undefined;
    if (!('command' in server)) {
      this.fail(server.sentence, server);
      return;
    }
    this.output.info(`starting ${[server.command, ...server.args].join(' ')}`);
    const client = this.newClient(server, cwd);
    client.onDidChangeState(({ oldState, newState }) => {
      if (oldState === State.Running && newState === State.Stopped) {
        void this.inOrder(() => this.ended(client));
      }
    });
    client.onNotification(STATUS, (counts) => {
      this.status.show(counts);
      void this.listener();
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.output.error(error instanceof Error ? error : String(error));
      await this.end();
      this.fail('The server did not start. The output shows its last lines.');
      return;
    }
    this.status.started();
    if (this.told > 0) {
      // What they say is no longer so; they stay in the list of notifications.
      void vscode.commands.executeCommand('notifications.hideToasts');
    }
    const extension = (this.context.extension.packageJSON as { version: string }).version;
    const versions = mismatch(extension, client.initializeResult?.serverInfo?.version);
    if (versions !== undefined) {
      await this.end();
      this.fail(versions);
    }
  }

  /** Starts a new server in place of one that ended by itself, unless too many did so lately. */
  private async ended(client: LanguageClient): Promise<void> {
    if (this.client !== client) {
      return; // it was asked to
    }
    const now = Date.now();
    this.ends = [...this.ends.filter((end) => now - end < WHILE), now];
    await this.end();
    if (this.ends.length > MOST_ENDS) {
      this.fail(`The server ended ${String(this.ends.length)} times within three minutes. The output shows its last lines.`);
      return;
    }
    this.output.warn('the server ended: starting a new one');
    await this.begin();
  }

  /** Lets go of the client, and of its server whatever state that is in. */
  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.status.stopped();
    try {
      await client?.dispose();
    } catch (error) {
      this.output.warn(`the server did not end when it was asked to: ${String(error)}`);
    }
  }

  private newClient(server: ServerCommand, cwd: string): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: DOCUMENTS,
      diagnosticPullOptions: { onChange: true, onSave: true },
      initializationOptions: currentSettings(),
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false, // `begin` tells of it
      middleware: { executeCommand: copying },
    };
    const env = { ...process.env, PYTHONSAFEPATH: '1' };
    const executable = { ...server, transport: TransportKind.stdio, options: { cwd, env } };
    const client = new QuietClient('rewright', 'Rewright', executable, options);
    client.registerFeature(OFFERS);
    return client;
  }

  private fail(problem: string, obstacle?: Obstacle): void {
    this.output.error(problem);
    this.status.failed(problem);
    void this.explain(problem, obstacle?.isMissing === true && this.installer.wheel !== undefined ? ['Install Rewright'] : []);
  }

  private async explain(problem: string, first: string[] = []): Promise<void> {
    this.told += 1;
    const choice = await vscode.window.showErrorMessage(`Rewright: ${problem}`, ...first, 'Open Settings', 'Show Output', 'Retry');
    this.told -= 1;
    switch (choice) {
      case 'Install Rewright':
        await this.install();
        break;
      case 'Open Settings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'rewright.interpreter');
        break;
      case 'Show Output':
        this.output.show();
        break;
      case 'Retry':
        await this.restart();
        break;
      default:
        break;
    }
  }
}

function currentSettings(): { check: unknown; inlayHints: unknown } {
  const settings = vscode.workspace.getConfiguration('rewright');
  return { check: settings.get('check'), inlayHints: settings.get('inlayHints') };
}
