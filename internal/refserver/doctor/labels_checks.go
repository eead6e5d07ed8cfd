package doctor

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

const (
	ruleLabels = "Labels: "
	ruleReport = "Labels: STARTED, IN_PROGRESS, READY_TO_DOWNLOAD in this order, each within 30 minutes; or FAILED, " +
		"CANCELED"
)

func (l *labels) checks() []check {
	all := append(l.lifeChecks(), l.bodyChecks()...)
	for i := range all {
		if all[i].section == "" {
			all[i].section = "answers"
		}
		if all[i].name != "labels" {
			all[i].after = append(all[i].after, "labels")
		}
	}
	return all
}

// lifeChecks are those of genuine labels, from their beginning to their end.
func (l *labels) lifeChecks() []check {
	return []check{
		{
			name: "labels", sent: "a call to make a label", run: l.judged,
			rule: ruleLabels + "207 has a list of {id, status, reason}, with the ids of the call and OK or FAILED; any " +
				"other 2xx accepts",
			fix: "answer 202 without a body, or 207 with the list; the labels of /generate have id, not label_id",
		},
		{
			name: "reported", sent: "a call to make a label, and a look at what the app reports", rule: ruleReport,
			section: "a-call", run: l.reported,
			fix: "report IN_PROGRESS, then READY_TO_DOWNLOAD with documents, by the ids of the call, and read the API's answers",
		},
		{
			name: "made once", sent: "the same call again, one after the other and twice at once", run: l.once,
			section: "traps", after: []string{"reported"},
			rule: ruleLabels + "a late call is repeated three times; a label is made once, by its id, and paid once",
			fix:  "write the id as a unique key first; answer a repeated call as the first one, and make nothing",
		},
		{
			name: "cancel", sent: "a call to cancel a label", run: l.cancel,
			rule: ruleLabels + "2xx cancels; 207 has {labels: [{fulfillment_order_id, label_id, status, reason}]}, " +
				"with one of seven codes in reason",
			fix: "answer 200, or 207 with FAILED and one of the codes, such as LABEL_IN_TRANSIT",
		},
		{
			name: "cancel again", sent: "the same call to cancel again", run: l.cancelAgain, after: []string{"cancel"},
			rule: ruleLabels + "after a late answer no label changes, so the merchant cancels again",
			fix:  "answer OK for a label that is cancelled already",
		},
		{
			name: "several labels", sent: "three labels in one call, then a call to cancel them", run: l.several,
			after: []string{"reported", "cancel"},
			rule:  ruleLabels + "a call has up to 50 labels; a cancellation that 207 does not mention is refused",
			fix:   "go through the whole list, and answer for each label, or 2xx for all",
		},
		{
			name: "suspend", sent: "calls to suspend and to reactivate a label", run: l.suspend, after: []string{"cancel"},
			rule: ruleLabels + "the answers are those of a cancellation; a carrier need not have these addresses",
			fix:  "answer 200, 207 with each label, or 404 if you have neither",
		},
		{
			name: "unknown label", sent: "calls to cancel a label that the app does not have", run: l.unknown,
			after: []string{"cancel"},
			rule:  ruleLabels + "an answer below 500 that the platform can read",
			fix:   "answer 207 with FAILED and a code, or 4xx, for a label that you do not have",
		},
		{
			name: "address", sent: "calls at addresses that differ by a letter, or in their end", run: l.address,
			section: "who-may-call",
			rule:    ruleLabels + "the calls are not signed: a random text in the path shows that it is the platform",
			fix:     "register an address with a random text, and answer 404 to all others",
		},
	}
}

// bodyChecks are those of calls that the doctor makes from a genuine one.
func (l *labels) bodyChecks() []check {
	all := []check{
		{
			name: "nulls", sent: "a label whose recipient has no phone, document or email, and an address with gaps",
			rule: ruleLabels + "phone, identifier, email and the parts of an address may be null", run: l.judges(nullLabel),
			fix: "expect null in each member that you can do without",
		},
		{
			name: "no size", sent: "a label whose items have no dimensions, and no weight", run: l.judges(sizeless),
			rule: ruleLabels + "unit_dimension is what the merchant has entered, if anything",
			fix:  "use a default box for what has no size, or answer 207 with FAILED",
		},
		{
			name: "letters", sent: "names and streets with letters beyond ASCII, in chunks of one byte", run: l.letters,
			rule: ruleLabels + "buyers write the texts, in UTF-8", fix: "collect the bytes, then read them as UTF-8",
		},
		{
			name: "fifty labels", sent: "fifty labels in one call, again if it is late", timed: true, run: l.fifty,
			after: []string{"several labels"},
			rule:  ruleLabels + "a call has up to 50 labels, and the limit is 5 s", fix: "store the list, answer, and print afterwards",
		},
		{
			name: "labels at once", sent: "two calls that differ, at once, ten times", run: l.mixed,
			after: []string{"made once"}, rule: ruleLabels + "an answer belongs to its call alone",
			fix: "keep nothing of a call in variables that calls share",
		},
		{
			name: "other forms", sent: "the body of /cancel at /generate, that of /generate at /cancel, and other lists",
			rule: "an answer below 500: a body of another form is refused", run: l.forms,
			section: "traps", fix: "check the form of the body before you use its members, and answer 400",
		},
	}
	return all
}

// judged looks at the answers to the first calls.
func (l *labels) judged(context.Context, *exam) (outcome, error) {
	for _, c := range l.calls {
		if c.Reason != "" {
			return fail("%s: status %d: %s", c.Kind, c.Status, c.Reason)
		}
		for _, part := range c.Labels {
			if !part.OK {
				return skip("the app refuses the parcel of the doctor: %s", part)
			}
		}
	}
	return pass("%s accepted", traffic.Count(len(l.calls), "label"))
}

// settled waits until a label is no longer to be reported, and returns it with the calls of the API that were refused.
func (l *labels) settled(ctx context.Context, e *exam, one labelPartJSON) (now labelJSON, refusal string, err error) {
	err = await(ctx, func() (bool, error) {
		if now, err = l.shown(ctx, e, one.Label); err != nil {
			return false, err
		}
		refusal, err = l.refusal(ctx, e, one)
		return refusal != "" || !now.waits(), err
	})
	return now, refusal, err
}

// refusal is what the API answered to the first report of a label that it has refused. Apps repeat reports that were
// limited by rate or have failed at the platform.
func (l *labels) refusal(ctx context.Context, e *exam, one labelPartJSON) (string, error) {
	made, err := apiCalls(ctx, e, "order=newest&limit=200")
	for _, r := range made {
		about := r.Path + string(r.Body)
		if r.Status >= 400 && r.Status < 500 && r.Status != http.StatusTooManyRequests && strings.Contains(about, "labels") &&
			(strings.Contains(about, one.Label) || strings.Contains(about, one.Order)) {
			return r.refused(), nil
		}
	}
	return "", err
}

func (l *labels) reported(ctx context.Context, e *exam) (outcome, error) {
	if reason := l.unreported(e); reason != "" {
		return skip("%s", reason)
	}
	now, refusal, err := l.settled(ctx, e, l.first(e))
	switch {
	case err != nil:
		return outcome{}, err
	case refusal != "":
		return fail("%s; the label is %s", refusal, now.Status)
	case now.Status == "STARTED":
		return note("nothing was reported within %s; after 30 minutes the label has failed", patience)
	}
	return pass("the label is %s", now.Status)
}

// unreported is why apps cannot report labels to the platform of the examination, empty if they can.
func (l *labels) unreported(e *exam) string {
	switch {
	case l.reports:
		return ""
	case e.o.Control == "":
		return "the app does not have the address of a platform that ends with the examination, so it cannot report labels: " +
			"use a running server (serve --demo --feature " + reporting + "), or --own with --start"
	}
	return "the store lets no app report labels: start the server with --feature " + reporting
}

// once repeats the first call, as the platform does after a late answer.
func (l *labels) once(ctx context.Context, e *exam) (outcome, error) {
	before, err := l.shown(ctx, e, l.first(e).Label)
	if err != nil {
		return outcome{}, err
	}
	all := []exchange{e.direct(ctx, e.posted())}
	both := make(chan exchange, 2)
	for range 2 {
		go func() { both <- e.direct(ctx, e.posted()) }()
	}
	for _, x := range append(all, <-both, <-both) {
		if wrong := refuses207(label.Generate, x); wrong != "" {
			return fail("the call again: %s", wrong)
		}
	}
	return l.madeAgain(ctx, e, before, e.since, true)
}

// remembered repeats the first call after a restart. The platform changes no label that is ready, so the app may also
// answer that it does not make it.
func (l *labels) remembered(ctx context.Context, e *exam) (outcome, error) {
	if reason := l.unreported(e); reason != "" {
		return skip("%s", reason)
	}
	before, err := l.shown(ctx, e, l.first(e).Label)
	if err != nil {
		return outcome{}, err
	}
	wrong, x := "", e.direct(ctx, e.posted())
	if before.waits() {
		wrong = refuses207(label.Generate, x)
	} else if o, _ := unharmed(x); o.state == Failed {
		wrong = o.got
	} else if o, _ := usable(x); o.state == Failed && x.status < 300 {
		wrong = o.got
	}
	if wrong != "" {
		return fail("the call again: %s", wrong)
	}
	return l.madeAgain(ctx, e, before, e.restarted, false)
}

// madeAgain looks at what the app has reported about the first label since a call of the API. The same report again is
// no other label, and reports of other labels are no matter. A process that was ended may begin again with a label that
// was not ready.
func (l *labels) madeAgain(ctx context.Context, e *exam, before labelJSON, since int64, begun bool) (outcome, error) {
	if err := pause(ctx, settling); err != nil {
		return outcome{}, err
	}
	made, err := all[apiCallJSON](ctx, e.platform, fmt.Sprintf("requests?after=%d", since))
	if err != nil {
		return outcome{}, err
	}
	now, err := get[object](ctx, e.platform, e.platform.in("entities/labels/%s", before.ID))
	if err != nil {
		return outcome{}, err
	}
	known := texts(now, map[string]bool{})
	for _, r := range made {
		if r.Status < 400 || r.Status >= 500 || r.Status == http.StatusTooManyRequests {
			continue
		}
		for _, report := range reportsOf(r, before.ID) {
			if report.differs(known) || report.Status != readyToDownload && (begun || !before.waits()) {
				return fail("%s: it was made again", r.refused())
			}
		}
	}
	return pass("answered again, and made once")
}

// refuses207 is what is wrong with an answer that must accept each label, empty if nothing.
func refuses207(kind label.Kind, x exchange) string {
	if x.err != nil {
		return x.String()
	}
	if err := label.Judge(kind, x.body, x.status, x.answer); err != nil {
		return fmt.Sprintf("%s: %v", x, err)
	}
	if x.status == http.StatusMultiStatus && bytes.Contains(x.answer, []byte(`"FAILED"`)) {
		return x.String()
	}
	return ""
}

// cancelable returns a new label that the app has made, or refuses.
func (l *labels) cancelable(ctx context.Context, e *exam, n int) ([]string, []labelPartJSON, error) {
	c, _, err := l.request(ctx, e, n)
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	for _, one := range c.Labels {
		if l.reports {
			if _, _, err := l.settled(ctx, e, one); err != nil {
				return nil, nil, err
			}
		}
		ids = append(ids, one.Label)
	}
	return ids, c.Labels, nil
}

func (l *labels) several(ctx context.Context, e *exam) (outcome, error) {
	ids, parts, err := l.cancelable(ctx, e, 3)
	if err != nil {
		return outcome{}, err
	}
	statuses := map[string]bool{}
	for _, one := range parts {
		now, err := l.shown(ctx, e, one.Label)
		if err != nil {
			return outcome{}, err
		}
		statuses[now.Status] = true
	}
	last := l.calls[len(l.calls)-1]
	if wrong := last.Reason; wrong != "" {
		return fail("status %d: %s", last.Status, wrong)
	}
	if statuses["STARTED"] && len(statuses) > 1 {
		return fail("one of the three labels was reported, another was accepted and not reported")
	}
	c, v, err := l.ask(ctx, e, "cancel", object{"labels": ids})
	if err != nil {
		return outcome{}, err
	}
	for _, one := range c.Labels {
		if c.Reason != "" || !one.OK && one.Code == "" {
			return fail("status %d with %s: %s %s", v.status, shown(v.ex.answer), c.Reason, one)
		}
	}
	return pass("each of three labels was made, and answered for when it was cancelled")
}

func (l *labels) cancel(ctx context.Context, e *exam) (outcome, error) {
	ids, _, err := l.cancelable(ctx, e, 1)
	if err != nil {
		return outcome{}, err
	}
	c, v, err := l.ask(ctx, e, "cancel", object{"labels": ids})
	if err != nil {
		return outcome{}, err
	}
	if c.Reason != "" {
		return fail("status %d with %s: %s", v.status, shown(v.ex.answer), c.Reason)
	}
	return pass("%s", c.Labels[0])
}

func (l *labels) cancelAgain(ctx context.Context, e *exam) (outcome, error) {
	c := l.calls[len(l.calls)-1]
	x, arrived := e.relay.find(ctx, func(x exchange) bool { return strings.HasSuffix(x.uri, "/cancel") })
	if !arrived || !c.Labels[0].OK {
		return skip("the app has cancelled no label")
	}
	if wrong := refuses207(label.Cancel, e.direct(ctx, x)); wrong != "" {
		return fail("%s", wrong)
	}
	return pass("accepted again")
}

func (l *labels) suspend(ctx context.Context, e *exam) (outcome, error) {
	ids, _, err := l.cancelable(ctx, e, 1)
	if err != nil {
		return outcome{}, err
	}
	for _, kind := range []string{"suspension", "reactivate"} {
		c, v, err := l.ask(ctx, e, kind, object{"labels": ids})
		if err != nil {
			return outcome{}, err
		}
		if c.Reason != "" && v.status != http.StatusNotFound && v.status != http.StatusMethodNotAllowed {
			return fail("%s: status %d with %s: %s", kind, v.status, shown(v.ex.answer), c.Reason)
		}
	}
	return pass("answered, or not there")
}

// at is a genuine call at another address below the base, with another body.
func (l *labels) at(e *exam, path string, body []byte) exchange {
	x := e.posted()
	x.uri, x.body = strings.TrimSuffix(x.uri, "/generate")+path, body
	return x
}

func (l *labels) unknown(ctx context.Context, e *exam) (outcome, error) {
	for _, id := range []string{ulid.Make().String(), "", "0", "ñ"} {
		body := fmt.Appendf(nil, `{"labels":[{"fulfillment_order_id":%q,"label_id":%q}]}`, ulid.Make().String(), id)
		x := e.direct(ctx, l.at(e, "/cancel", body))
		if o, err := unharmed(x); o.state == Failed || err != nil {
			return fail("label %q: %s", id, o.got)
		}
		if err := label.Judge(label.Cancel, body, x.status, x.answer); err != nil && x.status < 300 {
			return fail("label %q: %s: %v", id, x, err)
		}
	}
	return pass("2xx or 4xx")
}

func (l *labels) address(ctx context.Context, e *exam) (outcome, error) {
	x, base := e.posted(), strings.TrimSuffix(e.posted().uri, "/generate")
	others := []string{base + "/generate-all", base + "/delete"}
	if base != "" {
		last := base[len(base)-1]
		others = append(others, base[:len(base)-1]+map[bool]string{true: "b", false: "a"}[last == 'a']+"/generate")
	}
	for _, uri := range others {
		x.uri = uri
		if o, err := refused(e.direct(ctx, x)); o.state == Failed || err != nil {
			return fail("%s: %s", uri, o.got)
		}
	}
	if base == "" {
		return note("the address has no path: whoever finds the host can ask for labels")
	}
	return pass("%d addresses, each refused", len(others))
}

// made is a call with some new labels, each changed.
func (l *labels) made(e *exam, n int, changes ...change) []byte {
	return editedList(e.posted().body, n, func(o object) {
		o["id"] = ulid.Make().String()
		for _, change := range changes {
			change(part(o, "fulfillment_order_info"))
		}
	})
}

// judges returns a check of the answers to changed labels.
func (l *labels) judges(changes ...change) func(ctx context.Context, e *exam) (outcome, error) {
	return func(ctx context.Context, e *exam) (outcome, error) {
		for _, change := range changes {
			if o, err := usable(e.sent(ctx, l.made(e, 1, change))); o.state == Failed || err != nil {
				return o, err
			}
		}
		return pass("%d answers that the platform can use", len(changes))
	}
}

// usable is the outcome of a check that an answer about new labels can be used. A carrier may refuse them.
func usable(x exchange) (outcome, error) {
	if x.err != nil {
		return fail("%s", x)
	}
	if err := label.Judge(label.Generate, x.body, x.status, x.answer); err != nil {
		return fail("%s: %v", x, err)
	}
	return pass("%s", x)
}

func nullLabel(o object) {
	nulls(part(o, "recipient"), "phone", "identifier", "email")
	for _, address := range []object{part(o, "destination"), part(part(o, "assigned_location"), "address")} {
		nulls(address, "number", "floor", "locality", "reference", "between_streets", "region", "province")
	}
	nulls(part(part(o, "shipping"), "option"), "reference")
	each(o, "line_items", func(i object) { nulls(i, "stock_transfer", "kit", "custom_fields", "external_id") })
}

func sizeless(o object) {
	each(o, "line_items", func(i object) { nulls(part(i, "unit_dimension"), "weight", "width", "height", "depth") })
}

func (l *labels) letters(ctx context.Context, e *exam) (outcome, error) {
	x := e.posted()
	x.shape = split
	x.body = l.made(e, 1, func(o object) {
		part(o, "recipient")["name"] = `Ñandú "São" O'Higgins 東京 😀`
		part(o, "destination")["street"] = "Rúa do Sol \\ 3º"
	})
	return usable(e.direct(ctx, x))
}

func (l *labels) fifty(ctx context.Context, e *exam) (outcome, error) {
	return usable(e.sent(ctx, l.made(e, 50)))
}

func (l *labels) mixed(ctx context.Context, e *exam) (outcome, error) {
	return apart(ctx, e, [2][]byte{l.made(e, 1), l.made(e, 2)}, effect)
}

func (l *labels) forms(ctx context.Context, e *exam) (outcome, error) {
	list, undone := e.posted().body, []byte(`{"labels":[{"fulfillment_order_id":"1","label_id":"2"}]}`)
	calls := []exchange{l.at(e, "/cancel", list), l.at(e, "/generate", undone)}
	for _, body := range []string{"[null]", "[5]", "[{}]", `[{"id":null}]`, `[{"id":"1"}]`, "[]"} {
		calls = append(calls, l.at(e, "/generate", []byte(body)))
	}
	for _, body := range []string{`{"labels":null}`, `{"labels":[null]}`, `{"labels":[{}]}`, "{}"} {
		calls = append(calls, l.at(e, "/cancel", []byte(body)))
	}
	for _, x := range calls {
		if o, err := unharmed(e.direct(ctx, x)); o.state == Failed || err != nil {
			return fail("%.80q at %s: %s", x.body, x.uri, o.got)
		}
	}
	return pass("2xx or 4xx for %d bodies", len(calls))
}
