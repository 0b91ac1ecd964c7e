import type { Canary } from './canary.ts';

/** Ways out of a frame: each is the body of an async function, and reaches the canary at its own name or returns true. */
export type Escapes = Readonly<Record<string, string>>;

/** What stands at an address and is shown by being put into the page. */
function element(name: string, attributes: Readonly<Record<string, string>>, place = 'body'): string {
  return `const made = document.createElement('${name}'); Object.assign(made, ${JSON.stringify(attributes)}); document.${place}.append(made);`;
}

function markup(text: string): string {
  return `const made = document.createElement('div'); made.innerHTML = ${JSON.stringify(text)}; document.body.append(made);`;
}

/** Those that leave the frame where it is. */
export function quietEscapes({ url, udp }: Canary): Escapes {
  const at = (name: string) => `${url}/${name}`;
  const peer = `new RTCPeerConnection({ iceServers: [{ urls: 'stun:${udp}' }] })`;
  return {
    'parent-document': 'return parent.document.title !== undefined',
    'top-document': 'return top.document.body !== null',
    'local-storage': "localStorage.setItem('a', 'b'); return localStorage.getItem('a') === 'b'",
    'session-storage': "sessionStorage.setItem('a', 'b'); return sessionStorage.getItem('a') === 'b'",
    'indexed-db':
      "const asked = indexedDB.open('a'); return await new Promise((done) => { asked.onsuccess = () => done(true); asked.onerror = () => done(false); })",
    cookies: "document.cookie = 'a=b'; return document.cookie.includes('a=b')",
    caches: "return (await caches.open('a')) !== undefined",
    files: 'return (await navigator.storage.getDirectory()) !== undefined',
    locks: "return await navigator.locks.request('a', () => true)",
    channel:
      "const one = new BroadcastChannel('a'); const heard = new Promise((done) => { parent.hear = done; setTimeout(done, 300); }); one.postMessage('x'); return (await heard) === 'x'",
    fetch: `await fetch('${at('fetch')}', { mode: 'no-cors' })`,
    'fetch-later': `fetchLater('${at('fetch-later')}', { activateAfter: 0 })`,
    'keep-alive': `await fetch('${at('keep-alive')}', { mode: 'no-cors', keepalive: true })`,
    xhr: `const asked = new XMLHttpRequest(); asked.open('GET', '${at('xhr')}'); asked.send()`,
    'web-socket': `new WebSocket('${at('web-socket').replace('http', 'ws')}')`,
    'event-source': `new EventSource('${at('event-source')}')`,
    beacon: `navigator.sendBeacon('${at('beacon')}', 'x')`,
    image: `new Image().src = '${at('image')}'`,
    'source-set': element('img', { srcset: `${at('source-set')} 1x` }),
    'svg-image': markup(`<svg width="9" height="9"><image href="${at('svg-image')}" width="9" height="9"/></svg>`),
    video: markup(`<video src="${at('video')}" preload="auto"></video>`),
    poster: markup(`<video poster="${at('poster')}"></video>`),
    audio: `new Audio('${at('audio')}').load()`,
    background: markup(`<p style="background: url(${at('background')})">x</p>`),
    'css-import': element('style', { textContent: `@import url(${at('css-import')});` }),
    ...cssEscapes(at),
    'svg-filter': markup(
      `<svg><filter id="f"><feImage href="${at('svg-filter')}"/></filter><rect filter="url(#f)"/></svg>`,
    ),
    'input-image': element('input', { type: 'image', src: at('input-image') }),
    picture: markup(`<picture><source srcset="${at('picture')}"><img></picture>`),
    'adopted-sheet': `const sheet = new CSSStyleSheet(); sheet.replaceSync('body { background: url(${at('adopted-sheet')}) }'); document.adoptedStyleSheets = [sheet]`,
    'shadow-sheet': `const made = document.createElement('div'); document.body.append(made); made.attachShadow({ mode: 'open' }).innerHTML = '<style>@import url(${at('shadow-sheet')});</style>'`,
    font: element('style', {
      textContent: `@font-face { font-family: f; src: url(${at('font')}); } body { font-family: f; }`,
    }),
    'font-face': `await new FontFace('g', 'url(${at('font-face')})').load()`,
    stylesheet: element('link', { rel: 'stylesheet', href: at('stylesheet') }, 'head'),
    script: element('script', { src: at('script') }, 'head'),
    module: `await import('${at('module')}')`,
    preload: element('link', { rel: 'preload', as: 'image', href: at('preload') }, 'head'),
    prefetch: element('link', { rel: 'prefetch', href: at('prefetch') }, 'head'),
    'module-preload': element('link', { rel: 'modulepreload', href: at('module-preload') }, 'head'),
    object: element('object', { data: at('object') }),
    embed: element('embed', { src: at('embed') }),
    frame: element('iframe', { src: at('frame') }),
    'frame-markup': element('iframe', { srcdoc: `<img src="${at('frame-markup')}">` }),
    'frame-script': element('iframe', {
      srcdoc: `<script>fetch("${at('frame-script')}", { mode: "no-cors" })</script>`,
    }),
    'frame-link': element('iframe', { srcdoc: `<script>new Image().src = "${at('frame-link')}"</script>` }),
    'frame-address': element('iframe', { src: `javascript:fetch("${at('frame-address')}", { mode: "no-cors" })` }),
    'inline-script': element('script', { textContent: `fetch("${at('inline-script')}", { mode: "no-cors" })` }, 'head'),
    handler: markup(`<img src="data:," onerror="fetch('${at('handler')}', { mode: 'no-cors' })">`),
    worker:
      "return await new Promise((done) => { const one = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); one.onmessage = () => done(true); one.onerror = () => done(false); })",
    'shared-worker':
      "return await new Promise((done) => { const one = new SharedWorker(URL.createObjectURL(new Blob(['onconnect = (event) => event.ports[0].postMessage(1)']))); one.port.onmessage = () => done(true); one.onerror = () => done(false); })",
    'service-worker': "return (await navigator.serviceWorker.register('/worker.js')) !== undefined",
    udp: `const one = ${peer}; one.createDataChannel('x'); await one.setLocalDescription(await one.createOffer())`,
    'peer-in-frame': `const inner = document.createElement('iframe'); document.body.append(inner); const Peer = inner.contentWindow.RTCPeerConnection; return Peer !== undefined`,
    'history-entries': "const before = history.length; history.pushState({}, ''); return history.length > before",
    clipboard: "return document.queryCommandSupported('copy') && document.execCommand !== undefined",
    'own-permissions': 'return document.featurePolicy.allowedFeatures().some((name) => !/^ch-/.test(name))',
  };
}

/** Properties of styles that load something. */
function cssEscapes(at: (name: string) => string): Escapes {
  const properties = {
    cursor: (url: string) => `cursor: ${url}, auto`,
    content: (url: string) => `content: ${url}`,
    'list-style': (url: string) => `display: list-item; list-style-image: ${url}`,
    'border-image': (url: string) => `border: 9px solid; border-image: ${url} 1`,
    'image-set': (url: string) => `background: image-set(${url} 1x)`,
    mask: (url: string) => `mask-image: ${url}`,
    shape: (url: string) => `float: left; shape-outside: ${url}`,
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, style]) => {
      const text = style(`url(${at(`css-${name}`)})`);
      return [`css-${name}`, markup(`<p style="width: 9px; height: 9px; ${text}">x</p>`)];
    }),
  );
}

/** Those that take the frame, or its page, elsewhere. */
export function loudEscapes({ url }: Canary): Escapes {
  const at = (name: string) => `${url}/${name}`;
  return {
    'go-self': `location.href = '${at('go-self')}'`,
    'go-replace': `location.replace('${at('go-replace')}')`,
    'go-navigation': `navigation.navigate('${at('go-navigation')}')`,
    'go-blob': `location.href = URL.createObjectURL(new Blob(['<img src="${at('go-blob')}">'], { type: 'text/html' }))`,
    'go-download': `${element('a', { href: at('go-download'), download: 'x' })} made.click()`,
    'go-link': `${element('a', { href: at('go-link'), textContent: 'x' })} made.click()`,
    'go-refresh': `const made = document.createElement('meta'); made.httpEquiv = 'refresh'; made.content = '0;url=${at('go-refresh')}'; document.head.append(made)`,
    'go-form': `${element('form', { action: at('go-form') })} made.submit()`,
    'go-post': `${element('form', { action: at('go-post'), method: 'post' })} made.requestSubmit()`,
    'go-open': `open('${at('go-open')}')`,
    'go-blank': `${element('a', { href: at('go-blank'), target: '_blank' })} made.click()`,
    'go-ping': `${element('a', { href: '#x', ping: at('go-ping') })} made.click()`,
    'go-parent': `parent.location = '${at('go-parent')}'`,
    'go-top': `top.location.href = '${at('go-top')}'`,
    'go-top-link': `${element('a', { href: at('go-top-link'), target: '_top' })} made.click()`,
  };
}

/** An expression that runs them all at once: a promise of the names of those that returned true. */
export function escapesAsScript(escapes: Escapes): string {
  const functions = Object.entries(escapes).map(([name, body]) => `'${name}': async () => { ${body} }`);
  return `(async () => {
    const settle = (running) => Promise.race([running, new Promise((done) => setTimeout(done, 4000, 'late'))]);
    const one = async ([name, run]) => ((await settle(run().catch(() => false))) === true ? [name] : []);
    const all = await Promise.all(Object.entries({ ${functions.join(',\n')} }).map(one));
    // What they asked for is on its way.
    await new Promise((done) => setTimeout(done, 700));
    return all.flat();
  })()`;
}
