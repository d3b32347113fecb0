/** Elements of a page. Texts become text nodes, so that no text of a workspace is ever read as markup. */

type Child = Node | string;

export function element(tag: string, attributes: Readonly<Record<string, string>>, ...children: Child[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== '') {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.filter((each) => each !== ''));
  return made;
}

export function section(title: string, name: string, ...children: Child[]): HTMLElement {
  return element('section', { 'aria-labelledby': `h-${name}` },
    element('h2', { id: `h-${name}` }, title), element('div', { class: name }, ...children));
}

export function code(text: string): HTMLElement {
  return element('code', {}, text);
}

/** A text that is read out and not seen. */
export function hidden(text: string): HTMLElement {
  return element('span', { class: 'hidden' }, text);
}

export function button(text: string, run: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', run);
  return made;
}
