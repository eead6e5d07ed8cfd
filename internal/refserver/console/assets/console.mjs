// Brings a page up to date when the platform reports a change, and performs acts in place. The page works without it.
//
// The page is asked for again and compared with what is shown: what is the same is left alone, and so is a form in
// which somebody types. XMLHttpRequest parses the page, runs none of its scripts, and takes no text for markup, so that
// the policy of the page allows no trusted type at all.

const often = 1000; // milliseconds from one update to the next, at least
const seldom = 10_000; // the same for what a screen reader says
const { live } = document.body.dataset;
const choice = document.querySelector("#live input"); // null on a page that does not change
const news = document.getElementById("news");

let shown = document.body.dataset.n; // the count of changes that the page has
let stream, due, ended = 0, took = 0, added = new Map(), said = 0;

let acting = 0, missed = false; // acts in progress, whose answers are newer than any refresh meanwhile
let done; // the form whose act has just been performed, which is not held

const busy = node => node === document.activeElement || node.contains?.(document.activeElement);

const changed = field => {
	if (field.type === "checkbox") return field.checked !== field.defaultChecked;
	if (!field.options) return "defaultValue" in field && field.type !== "hidden" && field.value !== field.defaultValue;
	const first = Math.max([...field.options].findIndex(o => o.defaultSelected), 0);
	return field.options.length > 0 && field.selectedIndex !== first;
};

// held reports whether a node must stay: the focus is in it, or a form of it has a refusal or fields that somebody has
// changed.
const held = node => node.nodeType === Node.ELEMENT_NODE && node !== document.body && (busy(node) && !(done && busy(done)) ||
	[node, ...node.querySelectorAll("form")].some(f => f.nodeName === "FORM" && f !== done && (f.querySelector(".alarm") || [...f.elements].some(changed))));

const key = node => node.nodeName + (node.dataset?.key ?? "");

// update makes a node like another one.
function update(node, like) {
	if (node.isEqualNode(like)) return;
	if (node.nodeName === "FORM" && held(node)) return;
	if (node.nodeType !== Node.ELEMENT_NODE) { node.nodeValue = like.nodeValue; return; }
	if (node.nodeName === "FORM") { node.replaceWith(document.importNode(like, true)); return; }
	for (const { name } of [...node.attributes])
		if (!like.hasAttribute(name) && name !== "open") node.removeAttribute(name);
	for (const { name, value } of like.attributes)
		if (node.getAttribute(name) !== value && name !== "open") node.setAttribute(name, value);
	children(node, like);
}

// children makes the children of a node like those of another one. Rows, sections and forms have keys: one that is
// still there stays the same element, wherever it is now.
function children(node, like) {
	const old = Map.groupBy(node.childNodes, key);
	let at = node.firstChild;
	const gone = new Set(node.childNodes);
	for (const want of like.childNodes) gone.delete(old.get(key(want))?.find(o => gone.has(o)));
	for (const want of [...like.childNodes]) {
		while (at && gone.has(at)) at = drop(at);
		const same = old.get(key(want))?.shift();
		if (same && !gone.has(same)) {
			if (same === at) at = at.nextSibling;
			else node.insertBefore(same, at);
			update(same, want);
			continue;
		}
		const made = document.importNode(want, true);
		if (made.nodeName === "TR") note(made, node);
		node.insertBefore(made, at);
	}
	while (at) at = drop(at);
}

// drop removes a node unless it is held, and returns the one after it.
function drop(node) {
	const next = node.nextSibling;
	if (!held(node)) node.remove();
	return next;
}

// note marks a new row and counts it.
function note(row, body) {
	row.classList.add("new");
	const title = body.closest("section")?.querySelector("h2")?.textContent ?? "";
	added.set(title, (added.get(title) ?? 0) + 1);
}

// say has screen readers say which rows are new, once in a while. After that it is no news.
function say() {
	if (!added.size || Date.now() - said < seldom) return;
	said = Date.now();
	const text = [...added].map(([title, n]) => `${title}: ${n} more ${n === 1 ? "row" : "rows"}`).join(". ");
	news.textContent = text;
	added = new Map();
	setTimeout(() => {
		if (news.textContent === text) news.textContent = "";
		say();
	}, seldom);
}

function ask(method, address, body) {
	return new Promise((resolve, reject) => {
		const r = new XMLHttpRequest();
		r.open(method, address);
		r.responseType = "document";
		r.timeout = method === "GET" ? seldom : 12 * seldom;
		r.onload = () => r.response ? resolve(r) : reject(new Error(`status ${r.status}`));
		r.onerror = r.ontimeout = () => reject(new Error("no answer"));
		r.send(body);
	});
}

// show makes the page like another one.
function show(page) {
	for (const id of ["clock", "parts"]) {
		const now = document.getElementById(id), then = page.getElementById(id);
		if (now && then) children(now, then);
	}
	shown = page.body.dataset.n ?? shown;
	document.title = page.title;
}

// act performs the act of a form, and shows the outcome next to it. The place on the page stays.
async function act(form, button) {
	const body = new URLSearchParams(new FormData(form)), to = button?.getAttribute("formaction") ?? form.getAttribute("action");
	body.set("script", "yes");
	acting++;
	button?.setAttribute("aria-busy", "true");
	try {
		const r = await ask("POST", to, body);
		const at = new URL(r.responseURL);
		if (at.pathname !== "/do" && at.pathname !== location.pathname) return location.assign(at);
		if (at.pathname !== "/do") form.reset();
		done = form;
		button?.removeAttribute("aria-busy");
		show(r.response);
		if (at.pathname !== "/do") history.replaceState(null, "", at.pathname + at.search);
		document.body.dataset.did = r.response.body.dataset.did || `refused ${Date.now()}`;
		if (!form.isConnected) document.querySelector(".said, .alarm")?.focus();
	} catch (problem) {
		stale(`The act may not have been performed: ${problem.message}`);
	} finally {
		button?.removeAttribute("aria-busy");
		done = undefined;
		acting--;
		if (missed) wait();
		missed = false;
	}
}

document.addEventListener("submit", e => {
	if ((e.submitter ?? e.target).getAttribute("formmethod") !== "post" && e.target.getAttribute("method") !== "post" || "asks" in e.target.dataset) return;
	e.preventDefault();
	if (!e.submitter?.hasAttribute("aria-busy")) act(e.target, e.submitter);
});

async function refresh() {
	const began = Date.now(), at = location.href;
	if (acting) {
		due = undefined;
		missed = true;
		return;
	}
	try {
		const r = await ask("GET", location.pathname + location.search);
		if (r.status !== 200) throw new Error(`status ${r.status}`);
		if (!choice.checked || at !== location.href) return; // an act has shown a newer page
		const focus = document.activeElement;
		show(r.response);
		if (focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
		if (document.body.classList.contains("stale")) news.textContent = "";
		document.body.classList.remove("stale");
		say();
	} catch (problem) {
		stale(`This page is not brought up to date: ${problem.message}`);
	} finally {
		ended = Date.now();
		took = ended - began;
		due = undefined;
	}
}

function stale(why) {
	document.body.classList.add("stale");
	if (news.textContent !== why) news.textContent = why;
}

// wait has the page brought up to date, soon but not often, and less often if that takes long.
function wait() {
	due ??= setTimeout(refresh, Math.max(0, ended + Math.max(often, 4 * took) - Date.now()));
}

function connect() {
	stream?.close();
	clearTimeout(stream?.retry);
	clearTimeout(due);
	stream = due = undefined;
	if (document.hidden || !choice.checked) return;
	const events = stream = new EventSource(`${live}?after=${shown}`);
	events.onmessage = e => { if (e.lastEventId !== shown) wait(); };
	events.onopen = () => { if (document.body.classList.contains("stale")) wait(); };
	events.onerror = () => {
		stale("The platform does not answer: is the server still running?");
		if (events.readyState === EventSource.CLOSED) events.retry = setTimeout(connect, 5 * often);
	};
}

// chosen is what was chosen on a page before, in this tab; browsers may forbid to remember it.
function chosen(now) {
	try {
		if (now !== undefined) sessionStorage.live = now;
		return sessionStorage.live !== "false";
	} catch {
		return now ?? true;
	}
}

if (choice) {
	choice.checked = chosen();
	choice.closest("label").hidden = false;
	choice.onchange = () => { chosen(choice.checked); connect(); };
	document.addEventListener("visibilitychange", connect);
	connect();
}

// Keys: / searches, g and a letter goes to a page, ? shows the keys.
const keys = document.getElementById("keys");
let going = 0; // when g was pressed
const typed = e => e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input:not([type=checkbox]), select, textarea");
document.addEventListener("keydown", e => {
	if (typed(e)) return;
	const page = Date.now() - going < 1500 && document.querySelector(`nav [data-go="${CSS.escape(e.key)}"]`);
	going = e.key === "g" ? Date.now() : 0;
	if (page) location.assign(page.href);
	else if (e.key === "?") keys.open ? keys.close() : keys.showModal();
});
document.addEventListener("keyup", e => { // when the slash is no longer typed into the field
	if (e.key === "/" && !typed(e)) document.getElementById("find").focus();
});

document.documentElement.classList.add("script"); // shows the buttons that require one
document.addEventListener("click", async e => {
	if (!e.target.matches?.("button.copies")) return;
	if ("picks" in e.target.dataset) {
		const boxes = [...e.target.form.elements].filter(b => b.type === "checkbox"), all = boxes.every(b => b.checked);
		for (const box of boxes) box.checked = !all;
		return;
	}
	const text = e.target.previousElementSibling.textContent;
	try {
		await navigator.clipboard.writeText(text);
		e.target.textContent = "Copied";
	} catch {
		getSelection().selectAllChildren(e.target.previousElementSibling);
		e.target.textContent = "Selected";
	}
});
