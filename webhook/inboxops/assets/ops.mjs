// Brings the figures of the overview up to date. The page works without it.

const every = 5000;
const live = document.querySelector("#live input"); // null but on the overview
const text = (node, value) => { if (node && node.textContent !== value) node.textContent = value; };
const points = (node, value) => node?.querySelector("polyline")?.setAttribute("points", value);

async function refresh() {
	if (document.hidden || !live.checked) return;
	const answer = await fetch("api/overview", { headers: { Accept: "application/json" } });
	if (!answer.ok) throw new Error(`status ${answer.status}`);
	const now = await answer.json();
	text(document.getElementById("age"), `${Math.round(now.age_seconds)} s`);
	for (const figure of now.figures) {
		const node = document.querySelector(`[data-figure="${figure.id}"]`);
		text(node?.querySelector(".value"), figure.value);
		node?.classList.toggle("alarmed", Boolean(figure.alarm));
		points(node, figure.spark);
		text(node?.querySelector(".peak"), figure.peak ?? "");
	}
	const rows = new Map([...document.querySelectorAll("[data-group]")].map(row => [row.dataset.group, row]));
	let fresh = 0;
	for (const group of now.groups) {
		const row = rows.get(group.id);
		if (!row) { fresh++; continue; }
		text(row.querySelector(".value"), group.entries.toLocaleString("en-US"));
		points(row, group.spark);
		text(row.querySelector(".peak"), group.peak ?? "");
		rows.delete(group.id);
	}
	for (const row of rows.values()) text(row.querySelector(".value"), "0");
	text(document.getElementById("news"), now.error ? `The inbox does not answer: ${now.error}` :
		fresh ? `${fresh} more ${fresh === 1 ? "group" : "groups"} since: refresh the page.` : "");
}

if (live) {
	live.parentNode.hidden = false;
	const loop = () => refresh()
		.catch(problem => text(document.getElementById("news"), `The figures are not brought up to date: ${problem.message}`))
		.finally(() => setTimeout(loop, every));
	setTimeout(loop, every);
}
