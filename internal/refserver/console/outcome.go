package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// mostOutcomes is how many outcomes are kept.
const mostOutcomes = 100

// outcome is what an act answered, as it is shown beside its button.
type outcome struct {
	Key    string // of the form
	Text   string // one sentence
	Link   cell   // to the record of it
	More   []cell // further sentences
	Undo   *form
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
		o.Text, o.Answer = fmt.Sprintf("It is now %s. %s ran.", when(got.text("now")).Text, count(got.int("ran"), "due event")), ""
	case got.text("may_finish") == "yes":
		o.Text = "The purchase may be completed."
	case got.text("may_finish") == "no":
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
		o.Text = strings.TrimSpace(fmt.Sprintf("%s: %s, status %s. %s", got.text("kind"), got.text("outcome"), got.text("status"), got.text("reason")))
	case got.at("calls").of != nil && got.at("options").of != nil:
		o.Text = fmt.Sprintf("%s from %s.", count(len(got.list("options")), "rate"), count(len(got.list("calls")), "call"))
	case got.at("options").of != nil:
		o.Text = count(len(got.list("options")), "option") + "."
	case got.at("locations").of != nil:
		o.Text = count(len(got.list("locations")), "location") + "."
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
		o.Link = cell{Text: "What changed in the payload", Link: link("/cart", "store", store, "cart", cart, "view", "payload")}
	}
	for _, v := range got.list("vanished") {
		o.More = append(o.More, gone(store, value{map[string]any{"before": got.at("before").of}}, v))
	}
}

// count is a number with a noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// newest is the number of the last entry of the log.
func (a *asked) newest() string { return cmp.Or(a.get("log?limit=1").text("total"), "0") }

// ran says in words which calls followed an act, the problems first.
func (a *asked) ran(since string) (out []cell) {
	page := a.get("log?limit=200&order=oldest&after=" + escapeQuery(since))
	counts, order, bad := map[string]int{}, []string{}, map[string]bool{}
	for _, e := range page.list("items") {
		if kind := e.text("kind"); kind == "act" || kind == "clock" || kind == "request" {
			continue
		}
		words, _, _ := strings.Cut(e.text("words"), ",")
		name := e.text("kind") + " " + words
		if counts[name]++; counts[name] == 1 {
			order = append(order, name)
		}
		bad[name] = e.text("problem") == "yes"
	}
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(counts[y]+boost(bad[y]), counts[x]+boost(bad[x])) })
	for _, name := range order {
		one := cell{Text: fmt.Sprintf("%d × %s", counts[name], name), Class: "good"}
		if bad[name] {
			kind, _, _ := strings.Cut(name, " ")
			one.Class, one.Link = "bad", link("/log", "kind", kind, "state", "problem")
		}
		out = append(out, one)
	}
	if page.text("next") != "" {
		out = append(out, cell{Text: "and more: see the log", Link: "/log"})
	}
	return out
}

func boost(bad bool) int {
	if bad {
		return 1 << 20
	}
	return 0
}
