
(() => {
  'use strict';
  // Without this script the page is complete: it only adds filters beyond the
  // outcome, folding of everything, copying, and links that unfold.
  const byId = (id) => document.getElementById(id);
  if (navigator.clipboard) {
    for (const code of document.querySelectorAll('pre.command code')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Copy';
      button.addEventListener('click', () => navigator.clipboard.writeText(code.textContent).then(
        () => { button.textContent = 'Copied'; },
        () => { button.textContent = 'Not copied'; },
      ));
      code.after(button);
    }
  }

  // Controls are properties of their form: none may be called reset or submit.
  const form = document.querySelector('form');
  if (!form) return;

  const groups = Array.from(document.querySelectorAll('.group'), (element) => ({
    element,
    count: element.querySelector('h2 .n'),
    objects: Array.from(element.querySelectorAll('.object'), (object) => ({
      element: object,
      box: byId('show-' + object.dataset.tile),
      kind: object.dataset.kind,
      managers: object.dataset.managers || '',
      words: null,
    })),
  }));
  const total = groups.reduce((n, group) => n + group.objects.length, 0);

  // The text to search is read when it is needed first.
  const words = (object) => {
    if (object.words === null) {
      const texts = [object.element.querySelector('summary').textContent];
      for (const field of object.element.querySelectorAll('code')) texts.push(field.textContent);
      object.words = texts.join('\n').toLowerCase();
    }
    return object.words;
  };

  const wanted = () => {
    const kind = byId('kind').value;
    const manager = byId('manager').value;
    const texts = byId('find').value.toLowerCase().split(/\s+/).filter(Boolean);
    return (object) =>
      (!object.box || object.box.checked) &&
      (kind === '' || object.kind === kind) &&
      (manager === '' || object.managers.includes(' ' + manager + ' ')) &&
      (texts.length === 0 || texts.every((text) => words(object).includes(text)));
  };

  const filter = () => {
    const want = wanted();
    let shown = 0;
    for (const group of groups) {
      let here = 0;
      for (const object of group.objects) {
        const hide = !want(object);
        if (object.element.hidden !== hide) object.element.hidden = hide;
        if (!hide) here++;
      }
      const all = group.objects.length;
      group.count.textContent = here === all ? String(all) : here + ' of ' + all;
      group.element.hidden = here === 0;
      shown += here;
    }
    byId('none').hidden = shown > 0;
    byId('shown').textContent = shown === total ? 'All ' + total + ' shown' : shown + ' of ' + total + ' shown';
  };

  const visible = () => groups.flatMap((group) => group.objects).filter((object) => !object.element.hidden);

  let timer = 0;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(filter, 120);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(filter));
  byId('unfold').addEventListener('click', () => visible().forEach((object) => { object.element.open = true; }));
  byId('fold').addEventListener('click', () => visible().forEach((object) => { object.element.open = false; }));

  // A link to an object unfolds it, whatever the filters hide.
  const follow = () => {
    const object = location.hash.length > 1 && byId(location.hash.slice(1));
    if (!object || !object.classList.contains('object')) return;
    if (object.hidden) {
      form.reset();
      filter();
    }
    object.open = true;
    object.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  document.addEventListener('click', (event) => {
    // A second click on the link of where one is changes no address.
    if (event.target.closest && event.target.closest('.managers a')) setTimeout(follow);
  });

  for (const element of form.querySelectorAll('.finders, .shown')) element.hidden = false;
  filter();
  follow();
})();
