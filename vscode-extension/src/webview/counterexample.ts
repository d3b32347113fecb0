/** The page of a counterexample: draws what it is given, and asks the extension for the rest. */
import { button, code, element, hidden, section } from './elements';
import type { Cell, Edge, Input, Page, Place, Precondition, Request, Side, Step, Terms, Timeline, Value } from './page';

declare function acquireVsCodeApi(): { postMessage(message: Request): void };

const extension = acquireVsCodeApi();
const root = document.body;

window.addEventListener('message', (event: MessageEvent<Page>) => { show(event.data); });
window.addEventListener('resize', () => { connectAll(); });
document.addEventListener('keydown', step);
extension.postMessage({ type: 'ready' });

let edges: readonly Edge[] = [];

function show(page: Page): void {
  edges = page.edges;
  const main = element('main', {}, heading(page));
  if (page.trouble === '') {
    main.append(...[tools(page), ...body(page)]);
  } else {
    main.append(element('p', { class: 'trouble' }, page.trouble), tools(page));
  }
  root.replaceChildren(main);
  connectAll();
}

function heading(page: Page): HTMLElement {
  return element('header', {},
    element('p', { class: 'name' }, element('span', { class: page.trouble === '' ? 'verdict' : '' }, page.verdict), ` ${page.kind} `, place(page.title, page.at, 'title')),
    element('h1', {}, ...spoken(page.sentence === '' ? page.title : page.sentence)),
    page.confirmed === '' ? '' : element('p', { class: 'confirmed' }, `✓ ${page.confirmed}`),
  );
}

/** A sentence whose backticks set code. */
function spoken(sentence: string): (Node | string)[] {
  return sentence.split('`').map((part, number) => number % 2 === 1 ? code(part) : part);
}

function tools(page: Page): HTMLElement {
  const bar = element('div', { class: 'tools', role: 'toolbar', 'aria-label': 'What to do with the counterexample' });
  for (const script of page.scripts) {
    bar.append(button(`Copy as ${script.name}`, () => { extension.postMessage({ type: 'copy', name: script.name }); }));
  }
  if (page.pins) {
    bar.append(button('Pin as example', () => { extension.postMessage({ type: 'pin' }); }));
  }
  return bar;
}

function body(page: Page): HTMLElement[] {
  return [
    ...(page.sides.length > 0 ? [section('The two sides', 'sides', ...page.sides.map(side))] : []),
    ...(page.timeline === null ? [] : [timeline(page.timeline)]),
    ...(page.inputs.length > 0 ? [inputs(page.inputs)] : []),
    ...(page.steps.length > 0 ? [route(page.steps)] : []),
    ...(page.preconditions.length > 0 ? [section('Weaker preconditions that fail', 'terms', ...page.preconditions.map(precondition))] : []),
    ...(page.terms.length > 0 ? [section('What is combined', 'terms', ...page.terms.map(terms))] : []),
  ];
}

function side(shown: Side): HTMLElement {
  const card = element('div', { class: 'card' }, element('h3', {}, shown.name));
  if (shown.value === null) {
    card.append(element('p', { class: 'text' }, shown.trouble));
  } else {
    card.append(code(shown.expression), value(shown.value, `${shown.name} side`));
  }
  return card;
}

function inputs(shown: readonly Input[]): HTMLElement {
  const facts = element('dl', { class: 'facts' });
  const tensors = element('div', { class: 'tensors' });
  for (const input of shown) {
    if (input.value === null) {
      facts.append(element('div', {}, element('dt', {}, input.name), element('dd', {}, input.text)));
    } else {
      tensors.append(element('div', { class: 'card' }, element('h3', {}, code(input.name), shape(input.value)), value(input.value, input.name)));
    }
  }
  return section('Inputs', 'inputs', facts, tensors);
}

/** Each side as a tree: operands above what is made of them, and the way of the differing element drawn from cell to cell. */
function route(steps: readonly Step[]): HTMLElement {
  const trees = ['left', 'right'].map((name) => {
    const own = steps.filter((each) => each.side === name);
    const roots = own.filter((each) => each.parent === '');
    return element('div', { class: 'tree', 'data-side': name },
      element('h3', {}, name),
      element('div', { class: 'drawing' }, ...roots.map((each) => node(each, own))),
    );
  });
  const legend = edges.length === 0 ? '' : element('p', { class: 'legend' }, mark('passed', '1'), ' the differing element came through here', mark('differs', '◆ 1'), ' it differs');
  return section('How each side gets there', 'route', element('div', { class: 'wide' }, legend), ...trees);
}

function node(shown: Step, all: readonly Step[]): HTMLElement {
  const operands = all.filter((each) => each.parent === shown.id);
  const words = shown.passes === '' ? '' : `; the differing element came through ${shown.passes}`;
  const card = element('div', {
    class: `card ${shown.role}`, tabindex: '0', role: 'group', 'data-step': shown.id,
    'aria-label': `${shown.side}, ${shown.role}: ${shown.expression} is ${shown.value.text}${words}`,
  }, element('p', { class: 'expression' }, place(shown.expression, shown.at, 'code'), shape(shown.value)), value(shown.value, shown.expression, shown.id));
  card.addEventListener('focus', () => { lift(shown.id); });
  card.addEventListener('blur', () => { lift(undefined); });
  card.addEventListener('mouseenter', () => { lift(shown.id); });
  card.addEventListener('mouseleave', () => { lift(undefined); });
  return element('div', { class: 'node' }, operands.length === 0 ? '' : element('div', { class: 'operands' }, ...operands.map((each) => node(each, all))), card);
}

function terms(shown: Terms): HTMLElement {
  const rows = shown.terms.map((each) => element('tr', each.alone ? { class: 'alone' } : {},
    element('td', {}, each.index), element('td', {}, code(each.text)), element('td', {}, each.alone ? '◆ no partner' : 'equal')));
  const more = shown.more > 0 ? [element('tr', {}, element('td', {}), element('td', {}, `… ${String(shown.more)} more`), element('td', {}))] : [];
  return element('div', { class: 'card' },
    element('h3', {}, shown.heading),
    element('table', { class: 'list' },
      element('thead', {}, element('tr', {}, ...['index', 'term', 'on the other side'].map((each) => element('th', { scope: 'col' }, each)))),
      element('tbody', {}, ...rows, ...more)),
  );
}

/** A precondition that does, and each weaker one with an input on which the rule fails. */
function precondition(shown: Precondition): HTMLElement {
  const rows = shown.weaker.map((each) => element('tr', {}, element('td', {}, code(each.precondition)), element('td', {}, each.fails)));
  return element('div', { class: 'card' },
    element('h3', {}, element('span', {}, ...spoken(shown.title))),
    element('table', { class: 'list' },
      element('thead', {}, element('tr', {}, ...['weaker', 'fails at'].map((each) => element('th', { scope: 'col' }, each)))),
      element('tbody', {}, ...rows)),
  );
}

/** Time downwards, a column for each thread, a line for each barrier. */
function timeline(shown: Timeline): HTMLElement {
  const columns = shown.threads.length;
  const whole = String(columns + 1);
  const barrier = element('tr', { class: 'barrier' }, element('th', { scope: 'rowgroup', colspan: whole }, place(shown.opened, shown.opened_at, 'label')));
  const rows = shown.turns.map((turn) => {
    const cells = shown.threads.map((_, thread) => {
      const own = turn.events.filter((each) => each.thread === thread);
      return element('td', { class: own.some((each) => each.collides) ? 'collides' : '' },
        ...own.map((each) => element('div', { class: 'event' }, each.collides ? '✗ ' : '', code(each.text), each.collides ? hidden(', collides') : '')));
    });
    return element('tr', {}, element('th', { scope: 'row' }, place(turn.line, turn.at, 'label'), element('span', { class: 'source' }, turn.source)), ...cells);
  });
  const left = shown.left_out > 0 ? [element('tr', {}, element('td', { colspan: whole }, `… ${String(shown.left_out)} earlier`))] : [];
  const ending = shown.ending === '' ? [] : [element('tr', { class: 'ending' }, element('th', { scope: 'rowgroup', colspan: whole }, shown.ending))];
  const table = element('table', { class: 'timeline' },
    element('caption', {}, 'Earlier accesses stand above'),
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'line'), ...shown.threads.map((each) => element('th', { scope: 'col' }, each)))),
    element('tbody', {}, barrier, ...left, ...rows, ...ending));
  return section('Between two barriers', 'between', table);
}

function value(shown: Value, label: string, step?: string): HTMLElement {
  if (shown.grids.length === 0) {
    return element('p', { class: 'text' }, shown.text);
  }
  const isScalar = shown.shape === 'scalar';
  const isMatrix = shown.shape.includes('×');
  return element('div', { class: 'grids' }, ...shown.grids.map((grid) => {
    const columns = grid.rows[0]?.length ?? 0;
    const numbers = [...Array(columns).keys()].map((each) => element('th', { scope: 'col' }, String(each)));
    const head = isScalar ? [] : [element('thead', {}, element('tr', {}, ...(isMatrix ? [element('td', {}, grid.leading)] : []), ...numbers))];
    const rows = grid.rows.map((row, number) => element('tr', {}, ...(isMatrix ? [element('th', { scope: 'row' }, String(number))] : []), ...row.map((each) => cell(each, step))));
    return element('table', { class: 'tensor' }, element('caption', {}, hidden(`${label} ${grid.leading}`)), ...head, element('tbody', {}, ...rows));
  }));
}

function cell(shown: Cell, step: string | undefined): HTMLElement {
  const names = [shown.passed ? 'passed' : '', shown.differs ? 'differs' : ''].filter((each) => each !== '');
  const words = shown.differs ? ' differs' : shown.passed ? ' on the way of the differing element' : '';
  return element('td', { class: names.join(' '), ...(step === undefined ? {} : { 'data-cell': `${step}/${String(shown.number)}` }) },
    shown.differs ? element('span', { 'aria-hidden': 'true' }, '◆ ') : '', shown.text, words === '' ? '' : hidden(words));
}

function mark(name: string, text: string): HTMLElement {
  return element('span', { class: `mark ${name}`, 'aria-hidden': 'true' }, text);
}

function shape(shown: Value): HTMLElement {
  return element('span', { class: 'shape' }, shown.shape);
}

/** A text that leads to its place in the source, if it has one. */
function place(text: string, at: Place | null, name: string): HTMLElement {
  if (at === null || text === '') {
    return element('span', { class: name }, text);
  }
  const link = button(text, () => { extension.postMessage({ type: 'go', place: at }); });
  link.className = `link ${name}`;
  link.title = 'Go to the source';
  return link;
}

// -------------------------------------------------------------------------------------------------- the drawn route

const SVG = 'http://www.w3.org/2000/svg';

/** Draws the route anew, from where the cells stand now. */
function connectAll(): void {
  for (const drawing of document.querySelectorAll<HTMLElement>('.drawing')) {
    drawing.querySelector('svg')?.remove();
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('width', String(drawing.scrollWidth));
    svg.setAttribute('height', String(drawing.scrollHeight));
    for (const edge of edges) {
      const source = drawing.querySelector(`[data-cell="${edge.source}/${String(edge.element)}"]`);
      const target = drawing.querySelector(`[data-cell="${edge.target}/${String(edge.into)}"]`);
      if (source !== null && target !== null) {
        svg.append(...connect(edge, drawing, source, target));
      }
    }
    drawing.append(svg);
  }
}

/** A line from under one cell to above another, with a point where it ends. */
function connect(edge: Edge, drawing: HTMLElement, source: Element, target: Element): SVGElement[] {
  const frame = drawing.getBoundingClientRect();
  const from = source.getBoundingClientRect();
  const to = target.getBoundingClientRect();
  const [x1, y1] = [from.left + from.width / 2 - frame.left + drawing.scrollLeft, from.bottom - frame.top];
  const [x2, y2] = [to.left + to.width / 2 - frame.left + drawing.scrollLeft, to.top - frame.top];
  // Within a card a line is straight, and behind the words; between two cards it bends.
  const below = (source.closest('.card') ?? source).getBoundingClientRect().bottom - frame.top;
  const above = (target.closest('.card') ?? target).getBoundingClientRect().top - frame.top;
  const middle = (below + above) / 2;
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path(['M', x1, y1], ['L', x1, below], ['C', x1, middle, x2, middle, x2, above], ['L', x2, y2 - 5]));
  const point = document.createElementNS(SVG, 'path');
  point.setAttribute('d', path(['M', x2 - 4, y2 - 7], ['L', x2 + 4, y2 - 7], ['L', x2, y2], ['Z']));
  point.setAttribute('class', 'point');
  for (const part of [line, point]) {
    part.dataset.source = edge.source;
    part.dataset.target = edge.target;
  }
  return [line, point];
}

function path(...steps: readonly (string | number)[][]): string {
  return steps.map((each) => each.join(' ')).join(' ');
}

/** Makes the lines stand out that begin or end at a step, or none. */
function lift(id: string | undefined): void {
  for (const part of document.querySelectorAll<SVGElement>('.drawing svg path')) {
    part.classList.toggle('lifted', id !== undefined && (part.dataset.source === id || part.dataset.target === id));
  }
}

/** The arrow keys go from step to step. */
function step(event: KeyboardEvent): void {
  const steps = [...document.querySelectorAll<HTMLElement>('[data-step]')];
  const current = steps.findIndex((each) => each === document.activeElement);
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (current >= 0 && by !== undefined) {
    steps[current + by]?.focus();
    event.preventDefault();
  }
}
