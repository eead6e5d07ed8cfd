package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// Every event that the server knows happens, and a partner is sent it: once, but for those of which the calls cause
// more.
func TestTriggerEveryEvent(t *testing.T) {
	var got []string
	partner := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body) // of a broken call, the event is missing
		var body struct{ Event string }
		_ = json.Unmarshal(raw, &body)
		got = append(got, body.Event)
	}))
	defer partner.Close()
	var in info
	line := begin(t, "--addr", "127.0.0.1:0", "--demo", "--json", "--control", "127.0.0.1:0", "--clock", "virtual")
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	c, err := control.Dial(in.ControlURL)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var known []string
	err = c.Pages(t.Context(), "events", func(raw json.RawMessage) error {
		var e struct{ Event string }
		err := json.Unmarshal(raw, &e)
		known = append(known, e.Event)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(known)
	if have := slices.Sorted(maps.Keys(recipes())); !slices.Equal(have, known) {
		t.Fatalf("the command has %q\nthe server has %q", have, known)
	}
	protection := slices.Collect(maps.Keys(addresses))
	for _, event := range known {
		if err := c.Call(t.Context(), http.MethodPost, "reset", nil, nil); err != nil {
			t.Fatal(err)
		}
		got = nil
		var out strings.Builder
		err := run(t.Context(), []string{"trigger", event, "--to", partner.URL + "/hooks", "--control", in.ControlURL, "--json"}, &out, io.Discard)
		want := []string{event}
		if slices.Contains(protection, event) {
			want = []string{""} // their addresses name them, their bodies do not
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, the partner got %q\n%s", event, err, got, out.String())
		}
	}
}

// Commands run at the same time, while the platform is restored, with few files, and into a pipe that is closed. No
// fact gets the id of another.
func TestCommandsInParallel(t *testing.T) {
	d := openDesk(t)
	out, ok := d.shell(`refserver snapshot keep before >kept 2>&1 && refserver trigger order/paid --json >out.0 &&
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	(ulimit -n 32 && refserver trigger order/paid --json) >out.$i 2>&1 &
	if [ $i = 6 ]; then refserver snapshot restore before >restored 2>&1 & fi
done; wait; cat out.*`)
	seen, lost := map[float64]bool{}, 0
	for line := range strings.Lines(out) {
		var delivery struct {
			ID    float64
			Error string
		}
		if err := json.Unmarshal([]byte(line), &delivery); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if strings.Contains(delivery.Error, "status 404") {
			lost++ // the restore took the order of a command that was in progress
			continue
		}
		seen[delivery.ID] = true
	}
	if !ok || len(seen) != 13-lost || len(seen) < 7 {
		t.Errorf("the ids %v, want %d:\n%s", seen, 13-lost, out)
	}
	if out, ok := d.shell("refserver contract openapi.json | head -c 1; refserver help do | head -c 1; refserver log | head -c 1"); !ok || len(out) != 3 {
		t.Errorf("into closed pipes: %q", out)
	}
	if out, ok := d.shell("refserver sale --json"); ok || !strings.Contains(out, `"error":"sale: AMOUNT is missing","hint":"\"refserver help sale\" shows how"`) {
		t.Errorf("a wrong command line with --json: %s", out)
	}
}

// Commands that run at the same time show their own events.
func TestTriggersInParallel(t *testing.T) {
	d := openDesk(t)
	if out, ok := d.shell("refserver trigger product/created --to $PARTNER/hooks"); !ok {
		t.Fatal(out)
	}
	out, ok := d.shell("for i in 1 2 3 4 5 6; do refserver trigger product/created --json >out.$i 2>&1 & done; wait; cat out.*")
	seen := map[string]bool{}
	for line := range strings.Lines(out) {
		seen[line] = true
	}
	if n := strings.Count(out, "\n"); !ok || n != 6 || len(seen) != 6 {
		t.Errorf("%d lines, %d different, want 6 of 6 commands:\n%s", n, len(seen), out)
	}
}
