// One page of VS Code in headless Chromium, and what a person does in it: open, go to a line, type, save, look.
// It knows nothing of rules or kernels. Whatever is waited for fails after a minute.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

const { chromium } = createRequire(path.join(process.env.REWRIGHT_EDITOR, 'package.json'))('playwright-core');

const OFFLINE = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'];

/** Tells `story` a page; prints the milliseconds of its timed steps as one line of JSON, and leaves a last screenshot if it fails. */
export async function tell(name, story) {
  const [url, folder, shots] = process.argv.slice(2);
  for (const old of fs.readdirSync(shots).filter((file) => file.startsWith(`${name}-`))) {
    fs.rmSync(path.join(shots, old));
  }
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: OFFLINE });
  const page = new Page(await browser.newPage({ viewport: { width: 1280, height: 800 } }), folder, path.join(shots, name));
  try {
    await page.show(url);
    await story(page);
    console.log(JSON.stringify(page.milliseconds));
  } catch (error) {
    process.exitCode = 1;
    console.log(error.stack);
    await page.shot('failed');
  } finally {
    await browser.close();
  }
}

export class Page {
  constructor(page, folder, shots) {
    Object.assign(this, { page, folder, shots, milliseconds: {} });
    page.setDefaultTimeout(60000);
    this.editor = page.locator('.editor-instance .monaco-editor').first();
  }

  async show(url) {
    await this.page.goto(url);
    const row = this.page.locator('.explorer-folders-view .monaco-list-row').first();
    // A busy editor may show a workspace without its folders until the page is loaded again.
    await row.waitFor({ timeout: 30000 }).catch(() => this.page.reload());
    await row.waitFor();
  }

  async shot(name) {
    await this.page.screenshot({ path: `${this.shots}-${name}.png` });
  }

  /** Waits for what `step` waits for, and keeps how long it took. */
  async timed(name, step) {
    const start = performance.now();
    await step();
    this.milliseconds[name] = Math.round(performance.now() - start);
    console.log(`${name}: ${this.milliseconds[name]} ms`);
  }

  onDisk(file) {
    return fs.readFileSync(path.join(this.folder, file), 'utf8');
  }

  /** Opens a file by its path in the folder. */
  async open(file) {
    await this.page.keyboard.press('Control+P');
    await this.page.locator('.quick-input-widget input').first().fill(file);
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: path.basename(file) }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator('.tab.active', { hasText: path.basename(file) }).waitFor();
    await this.editor.locator('.view-line').first().waitFor();
  }

  /** Puts the cursor before a line and column, both counted from 1. */
  async goTo(line, column) {
    await this.page.keyboard.press('Control+G');
    await this.page.locator('.quick-input-widget input').first().fill(`:${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** Replaces `before`, which stands once in `text`, the buffer's text, with `after`, key by key. Returns the new text. */
  async replace(text, before, after) {
    const start = text.indexOf(before);
    if (start < 0 || text.indexOf(before, start + 1) >= 0) {
      throw new Error(`not exactly once: ${before}`);
    }
    const lines = text.slice(0, start).split('\n');
    await this.goTo(lines.length, lines.at(-1).length + 1);
    for (const _ of before) {
      await this.page.keyboard.press('Delete');
    }
    await this.page.keyboard.type(after);
    return text.slice(0, start) + after + text.slice(start + before.length);
  }

  async save() {
    await this.page.keyboard.press('Control+S');
    await this.page.locator('.editor-group-container.active .tab.active:not(.dirty)').waitFor();
  }

  /** Deletes what stands in a line, counted from 1. */
  async clearLine(line) {
    await this.goTo(line, 1);
    await this.page.keyboard.press('Shift+End');
    await this.page.keyboard.press('Delete');
  }

  /** The line and column, counted from 1, at which `wanted` begins in `text`, where it stands once with a line end behind. */
  place(text, wanted) {
    const lines = text.slice(0, text.indexOf(`${wanted}\n`)).split('\n');
    return [lines.length, lines.at(-1).length + 1];
  }

  /** The line and column, counted from 1, at which `wanted` begins in `text` first. */
  placeOf(text, wanted) {
    const lines = text.slice(0, text.indexOf(wanted)).split('\n');
    return [lines.length, lines.at(-1).length + 1];
  }

  /** The quick fixes in the menu that show `pattern`. */
  fix(pattern) {
    return this.page.locator('.action-widget .monaco-list-row', { hasText: pattern });
  }

  /** Opens the menu of quick fixes at the cursor, again and again until one of them shows `pattern`. */
  async fixes(pattern) {
    for (let tries = 0; tries < 60; tries++) {
      await this.page.keyboard.press('Control+.');
      if (await this.fix(pattern).first().waitFor({ timeout: 1000 }).then(() => true, () => false)) {
        return;
      }
      await this.page.keyboard.press('Escape');
    }
    throw new Error(`no quick fix shows ${pattern}`);
  }

  /** Chooses the quick fix that shows `pattern` from the open menu, and waits until it has changed the text. */
  async choose(pattern) {
    await this.fix(pattern).first().click();
    await this.page.locator('.editor-group-container.active .tab.active.dirty').waitFor();
  }

  /** Runs a command by its title in the palette. */
  async command(title) {
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget input').first().fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** The process ids of the servers that this run has started and that are alive. */
  servers() {
    const mark = `REWRIGHT_E2E_RUN=${process.env.REWRIGHT_E2E_RUN}`;
    return fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)).filter((pid) => {
      try {
        const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words.includes('rewright.lsp') && fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
      } catch {
        return false; // it is gone
      }
    }).map(Number);
  }

  /** Waits for the one server that is not among `known`; returns its process id. */
  async server(known = []) {
    for (let tries = 0; tries < 2400; tries++) {
      const alive = this.servers();
      if (alive.length === 1 && !known.includes(alive[0])) {
        return alive[0];
      }
      await this.page.waitForTimeout(25);
    }
    throw new Error(`one server was expected, there are: ${JSON.stringify(this.servers())}`);
  }

  async undo() {
    await this.page.keyboard.press('Control+Z');
  }

  /** The line that shows `text`, inlay hints included. */
  line(text) {
    return this.editor.locator('.view-line').filter({ hasText: text });
  }

  /** Waits until the line that shows `text` shows `hint` too. */
  async hint(text, hint) {
    await this.line(text).filter({ hasText: hint }).first().waitFor();
  }

  /** Waits until a lens says `text`. */
  async lens(text) {
    await this.editor.locator('.codelens-decoration', { hasText: text }).first().waitFor();
  }

  /** Clicks the lens that says `text`. */
  async click(text) {
    await this.editor.locator('.codelens-decoration a', { hasText: text }).first().click();
  }

  /** Opens the list of what can be written at the cursor, until `label` is in it; returns its row. */
  async offered(label) {
    const row = this.page.locator(`.suggest-widget.visible .monaco-list-row[aria-label^="${label}"]`).first();
    for (let tries = 0; tries < 20; tries++) {
      await this.page.keyboard.press('Control+Space');
      if (await row.waitFor({ timeout: 3000 }).then(() => true, () => false)) {
        return row;
      }
      await this.page.keyboard.press('Escape');
    }
    await this.page.keyboard.press('Control+Space');
    await this.page.waitForTimeout(3000);
    const all = await this.page.locator('.suggest-widget .monaco-list-row').evaluateAll((rows) => rows.map((each) => each.getAttribute('aria-label')));
    throw new Error(`${label} is not offered, but ${JSON.stringify(all)}`);
  }

  /** The number of the first line, counted from 1, that shows `text`. */
  async lineWith(text) {
    const tops = (locator) => locator.evaluateAll((all) => all.map((one) => ({ top: one.getBoundingClientRect().top, text: one.textContent })));
    for (let tries = 0; tries < 40; tries++) { // lines move when a lens appears
      const lines = (await tops(this.editor.locator('.view-line'))).map((each) => ({ ...each, text: each.text.replaceAll('\u00a0', ' ') }));
      const line = lines.sort((one, other) => one.top - other.top).find((each) => each.text.includes(text));
      const numbers = await tops(this.editor.locator('.margin-view-overlays .line-numbers'));
      const number = numbers.find(({ top }) => line !== undefined && Math.abs(top - line.top) < 3);
      if (number !== undefined) {
        return Number(number.text);
      }
      await this.page.waitForTimeout(250);
    }
    throw new Error(`no line shows ${text}`);
  }

  /** The page inside the panel that is open beside the editor. */
  async webview() {
    await this.page.locator('iframe.webview.ready').first().waitFor();
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  squiggles() {
    return this.editor.locator('.squiggly-error');
  }

  warnings() {
    return this.editor.locator('.squiggly-warning');
  }

  /** The texts of the lines that are underlined, as errors if nothing else is said, from the top. */
  async underlined(squiggles = this.squiggles()) {
    const heights = await squiggles.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    const lines = await this.editor.locator('.view-line').evaluateAll((all) => all.map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return { top, bottom, text: one.textContent.replaceAll('\u00a0', ' ') };
    }));
    const marked = lines.filter(({ top, bottom }) => heights.some((height) => top <= height && height < bottom));
    return marked.sort((one, other) => one.top - other.top).map(({ text }) => text.trim());
  }

  /** Waits until exactly `count` lines are underlined; returns them. */
  async underlinedLines(count, squiggles = this.squiggles()) {
    for (let tries = 0; tries < 1200; tries++) {
      const lines = await this.underlined(squiggles);
      if (lines.length === count) {
        return lines;
      }
      await this.page.waitForTimeout(50);
    }
    throw new Error(`${count} underlined lines were expected, there are: ${JSON.stringify(await this.underlined(squiggles))}`);
  }

  /**
   * Holds the mouse over the first underlined place of the first line that shows `text` and has one, until what is shown
   * there matches `says`; returns it. What is known of a place may be there before what is found, and a lens that comes or
   * goes moves the lines.
   */
  async hover(text, says = /./, squiggles = this.squiggles()) {
    const within = (line, one) => line.y <= one.y && one.y < line.y + line.height;
    let shown = '';
    for (let tries = 0; tries < 40; tries++) {
      const lines = await Promise.all((await this.line(text).all()).map((one) => one.boundingBox()));
      const boxes = (await Promise.all((await squiggles.all()).map((one) => one.boundingBox()))).filter(Boolean);
      const line = lines.filter(Boolean).find((each) => boxes.some((one) => within(each, one)));
      if (line) {
        const box = boxes.find((one) => within(line, one));
        await this.page.mouse.move(box.x + 6, line.y + line.height / 2);
        await this.page.mouse.move(box.x + 8 + (tries % 2), line.y + line.height / 2);
        shown = await this.shownHover();
        if (says.test(shown)) {
          return shown;
        }
      }
      await this.page.waitForTimeout(50);
    }
    throw new Error(`${says} was expected over ${text}, there is: ${shown}`);
  }

  /** What a hover shows, empty if there is none, or it goes again. */
  async shownHover() {
    const hover = this.page.locator('.monaco-resizable-hover:visible, .monaco-hover:not(.hidden):visible').first();
    try {
      await hover.waitFor({ timeout: 3000 });
      await this.page.waitForTimeout(500);
      return await hover.innerText({ timeout: 1000 });
    } catch {
      return '';
    }
  }

  /** Asks by keys what is at the cursor, until what is shown matches `says`; returns it. */
  async described(says = /./) {
    for (let tries = 0; tries < 20; tries++) {
      await this.page.keyboard.press('Control+K');
      await this.page.keyboard.press('Control+I');
      const shown = await this.shownHover();
      if (says.test(shown)) {
        return shown;
      }
    }
    throw new Error(`${says} was expected at the cursor`);
  }

  /** Waits until the language status item, with the mouse held over it, says what `pattern` matches. */
  async status(pattern) {
    const item = this.page.locator('.statusbar-item[id="status.languageStatus"]');
    const shown = this.page.locator('.hover-language-status', { hasText: pattern });
    for (let tries = 0; tries < 20; tries++) {
      await item.hover();
      if (await shown.first().waitFor({ timeout: 1500 }).then(() => true, () => false)) {
        return;
      }
      await this.editor.hover();
    }
    throw new Error(`the status never said ${pattern}`);
  }

  /** The text of the notification that shows `text`. */
  async notification(text) {
    const shown = this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
    return shown.innerText();
  }

  /** The rows of the Problems panel, once one of them shows `text`. */
  async problems(text) {
    await this.page.keyboard.press('Control+Shift+M');
    const rows = this.page.locator('.markers-panel .monaco-list-row');
    await rows.filter({ hasText: text }).first().waitFor();
    return rows.allInnerTexts();
  }
}
