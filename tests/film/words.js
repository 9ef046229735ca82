// Walks through the player in another language, and returns what is still English. Read together with the player's scripts.
(async () => {
  const found = new Set();
  const rest = (time) => new Promise((done) => { setTimeout(done, time); });
  const until = async (holds) => {
    for (let tries = 0; !holds(); tries += 1) {
      if (tries === 30_000) throw new Error(`not in ten minutes: ${holds}`);
      await rest(20);
    }
  };
  // Names of scenes, streams and programs, lessons, keys, and what readers write.
  const data = '.film-title, .film-source, .scene-title, .kernel, .caption, .what strong, .format, #title, #scene option, ' +
    '#lessons button, .inputs button span, .given, .history td, .cards [scope="row"], td.number, kbd, noscript, .label, #class-list h3, .handed-in :is(.kernel, a)';
  const isEnglish = (text) => /[A-Za-z]{2}/.test(text) && !text.startsWith('¤');
  const look = async () => {
    await rest(30);
    for (const one of document.body.querySelectorAll('*')) {
      if (one.closest(OTHERS) || one.closest(data)) continue;
      const texts = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim());
      for (const text of [...texts, ...ATTRIBUTES.map((name) => one.getAttribute(name) ?? '')]) {
        if (isEnglish(text)) found.add(`${one.tagName} ${one.className} ${one.id}: ${text}`);
      }
    }
  };
  await library.load();
  for (const [lesson, step] of [[0, 2], [2, 4], [5, 8]]) {
    await openLesson(lesson);
    goTo(0);
    await look();
    goTo(stepOf([step]));
    page.views[0].select(0, 0);
    await until(() => page.views[0].fetched);
    for (const name of page.views[0].panels.keys()) {
      page.views[0].open(name);
      await look();
    }
    document.querySelector('.try').click();
    await until(() => document.querySelector('.verdict').textContent);
    await look();
    goTo(stepOf([step]));
    await look();
    openHandIn();
    await look();
    byId('hand-in').close();
    await toggleSideBySide();
    await look();
    await toggleSideBySide();
  }
  await openLesson(8);
  document.querySelector('.try').click();
  await runOn();
  await look();
  byId('class-links').value = `x#film=99 ${handedIn(8, 'Ada')} #film=2 #film=1&programs=H4`;
  openClass();
  await showClass();
  await look();
  byId('class').close();
  goTo(0);
  play();
  await look();
  pause();
  return [...found];
})()
