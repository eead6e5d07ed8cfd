package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// mostOutcomes is how many outcomes are kept.
const mostOutcomes = 100

// outcome is what an act answered, as it is shown after its button.
type outcome struct {
	Key    string // of the form
	Text   string // one sentence
	Link   cell   // to the record of it
	More   []cell // further sentences
	Undo   *form
	Bad    bool   // a refusal, or parts of a cart that vanished
	Answer string // whole
}

// outcomes are the last ones, by number.
type outcomes struct {
	mu   sync.Mutex
	last int
	kept map[int]*outcome
}

func (o *outcomes) add(one *outcome) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil {
		o.kept = map[int]*outcome{}
	}
	o.last++
	o.kept[o.last] = one
	delete(o.kept, o.last-mostOutcomes)
	return strconv.Itoa(o.last)
}

// of is the outcome with a number; nil if there is none.
func (o *outcomes) of(number string) *outcome {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept[n]
}

// outcome reads the answer to an act of a store in words.
func outcomeOf(label, store string, got value) *outcome {
	o := &outcome{Text: label + ": done.", Answer: got.whole()}
	switch {
	case got.text("ran") != "":
		o.Text, o.Answer = fmt.Sprintf("It is now %s. %s ran.", when(got.text("now")).Text, traffic.Count(got.int("ran"),
			"due event")), ""
	case got.text("may_finish") == "yes":
		o.Text = "The purchase may be completed."
	case got.text("may_finish") == "no":
		o.Bad = true
		o.Text = "The purchase may not be completed: " + got.text("reason") + "."
	case got.at("cart").of != nil && got.at("before").of != nil:
		o.changed(store, got)
	case got.text("number") != "" && got.text("order") != "":
		o.Text = "Bought: order #" + got.text("number") + " of " + got.text("total") + "."
		if why := got.text("unpaid"); why != "" {
			o.Text += " It is not paid: " + why
		}
		o.Link = cell{Text: "Order #" + got.text("number"), Link: recordLink(store, "orders", got.text("order"))}
	case got.text("order") != "" && got.text("transaction") != "":
		o.Text, o.Link = "A paid order was made.", cell{Text: "Order", Link: recordLink(store, "orders", got.text("order"))}
	case got.at("answer").of != nil && got.text("version") != "":
		o.Text = label + ": the API answered " + got.text("status") + "."
	case got.text("outcome") != "":
		o.Text = strings.TrimSpace(fmt.Sprintf("%s: %s, status %s. %s", got.text("kind"), got.text("outcome"),
			got.text("status"), got.text("reason")))
	case got.at("calls").of != nil && got.at("options").of != nil:
		o.Text = fmt.Sprintf("%s from %s.", traffic.Count(len(got.list("options")), "rate"), traffic.Count(len(got.list("calls")), "call"))
	case got.at("options").of != nil:
		o.Text = traffic.Count(len(got.list("options")), "option") + "."
	case got.at("locations").of != nil:
		o.Text = traffic.Count(len(got.list("locations")), "location") + "."
	case got.text("event") != "" && got.text("state") != "":
		o.Text, o.Answer = fmt.Sprintf("Webhook %s was sent again.", got.text("id")), ""
	case got.text("digest") != "":
		o.Text, o.Answer = fmt.Sprintf("%s: the state %q has %s records.", label, got.text("name"), got.text("records")), ""
	}
	return o
}

// changed is the outcome of a change of a cart.
func (o *outcome) changed(store string, got value) {
	cart := got.text("cart.id")
	o.Text = "The total is " + got.text("cart.total")
	if before := got.text("before.total"); before != got.text("cart.total") {
		o.Text += ", before " + before
	}
	runs := got.list("runs")
	if len(runs) == 0 {
		o.Text += "; no app was sent the cart"
	}
	for _, r := range runs {
		o.Text += fmt.Sprintf("; app %s: %s in %s ms", r.text("app"), r.text("outcome"), r.millis("ms"))
	}
	o.Text, o.Answer = o.Text+".", ""
	if len(runs) > 0 {
		o.Link = cell{Text: "Changes of the payload", Link: link("/cart", "store", store, "cart", cart, "view", "payload")}
	}
	o.Bad = len(got.list("vanished")) > 0
	for _, v := range got.list("vanished") {
		o.More = append(o.More, gone(store, value{map[string]any{"before": got.at("before").of}}, v))
	}
}

// heard is the log before an act: the number of entries, and the states of webhooks.
type heard struct {
	entries  string
	webhooks value
}

func (a *asked) heard() heard {
	return heard{cmp.Or(a.get("log?limit=1").text("total"), "0"), a.get("log?limit=1&kind=webhook").at("states")}
}

// ran says in words which calls followed an act: the changes of webhooks by state, and the other calls.
func (a *asked) ran(before heard) (out []cell) {
	counts := map[string]int{}
	now := a.get("log?limit=1&kind=webhook").at("states")
	for _, state := range []string{"given_up", "failing", "delivered"} {
		if n := now.int(state) - before.webhooks.int(state); n > 0 {
			out = append(out, called(n, "webhook", state, state != "delivered"))
		}
	}
	page := a.get("log?limit=200&order=oldest&after=" + escapeQuery(before.entries))
	var kinds [][2]string
	bad := map[[2]string]bool{}
	for _, e := range page.list("items") {
		kind := e.text("kind")
		if slices.Contains([]string{"act", "clock", "request", "webhook"}, kind) {
			continue
		}
		of := [2]string{kind, e.text("state")}
		if counts[kind+of[1]]++; counts[kind+of[1]] == 1 {
			kinds = append(kinds, of)
		}
		bad[of] = e.text("problem") == "yes"
	}
	for _, of := range kinds {
		out = append(out, called(counts[of[0]+of[1]], of[0], of[1], bad[of]))
	}
	if page.text("next") != "" {
		out = append(out, cell{Text: "and more", Link: "/log"})
	}
	slices.SortStableFunc(out, func(x, y cell) int { return strings.Compare(x.Class, y.Class) }) // bad before good
	return out
}

// follow says which calls followed an act.
func (o *outcome) follow(ran []cell) {
	if len(ran) > 0 {
		o.More = append(o.More, cell{Text: "It caused:", Parts: ran})
	}
}

// called is a number of calls in a state, with a link to them.
func called(n int, kind, state string, bad bool) cell {
	out := cell{Text: fmt.Sprintf("%d × %s %s", n, kind, strings.ReplaceAll(state, "_", " ")), Class: "good",
		Link: link("/log", "kind", kind, "state", state)}
	if bad {
		out.Class = "bad"
	}
	return out
}
