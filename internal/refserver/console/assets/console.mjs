// Brings a page up to date when the platform says that something happened. The page works without it.

const stream = document.body.dataset.live;
const news = document.getElementById("news");
const quiet = 500; // milliseconds after the last event

if (stream) {
	const begun = Date.now();
	let due = 0;
	const refresh = () => {
		const typing = document.activeElement?.closest("form");
		if (typing || document.hidden) news.textContent = "More has happened since: reload the page.";
		else location.reload(); // which keeps the place of reading
	};
	const events = new EventSource(stream);
	events.onmessage = () => {
		if (Date.now() - begun < 1000) return; // what was before comes first
		clearTimeout(due);
		due = setTimeout(refresh, quiet);
	};
	events.onerror = () => { news.textContent = "The platform does not answer: is the server still running?"; };
	events.onopen = () => { news.textContent = ""; };
}
