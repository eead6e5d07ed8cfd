package oauthtest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// Tokens tests each rule of oauth.TokenStore. For each rule, open returns n handles on one new, empty store, as n
// processes would have. If open fails it calls t.Fatal. It closes the handles by t.Cleanup.
func Tokens(t *testing.T, open func(t *testing.T, n int) []oauth.TokenStore) {
	t.Helper()
	run(t, tokenRules, open)
}

type tokens = probe[oauth.TokenStore]

var tokenRules = []rule[oauth.TokenStore]{
	{"Load/nothing", loadNothing},
	{"Swap/insert", swapInserts},
	{"Swap/replace", swapReplaces},
	{"Swap/delete", swapDeletes},
	{"Swap/nothing there", swapNothing},
	{"Swap/after a deletion", swapAfterDeletion},
	{"Stores", storesAreApart},
	{"Fields", tokenFields},
	{"Fields/copied", tokenFieldsAreCopied},
	{"Race/insert", raceInsert},
	{"Race/replace", raceReplace},
	{"Race/delete", raceDelete},
	{"Race/chain", raceChain},
	{"Race/load", raceLoad},
	{"Context", tokenContext},
	{"Secrecy", secrecy},
	{"Retire", retires},
	{"Race/retire", raceRetire},
	{"Due", dueRecords},
}

// storeID is used if any store will do.
const storeID client.ID = 817495

// made returns an installation whose fields are derived from its generation, so that a mix of two can be detected.
func made(id client.ID, generation int64) *oauth.Install {
	text := client.ID(generation).String()
	return &oauth.Install{
		StoreID: id, Generation: generation, Installation: generation + 1,
		Token: client.Secret("token of " + text), Scopes: oauth.Scopes{oauth.Scope("read_" + text)},
		InstalledAt: time.Unix(1_700_000_000+generation%1000, 0).UTC(),
	}
}

// swap fails the test unless Swap returns the expected result.
func swap(p *tokens, id client.ID, old int64, next *oauth.Install, want bool) {
	p.Helper()
	if got, err := p.next().Swap(p.Context(), id, old, next); err != nil || got != want {
		p.Fatalf("Swap of store %d from generation %d: got %v, %v; want %v", id, old, got, err, want)
	}
}

// holds fails the test unless each handle loads the installation; nil means none.
func holds(p *tokens, id client.ID, want *oauth.Install) {
	p.Helper()
	for i, store := range p.handles {
		got, err := store.Load(p.Context(), id)
		switch {
		case want == nil && !errors.Is(err, oauth.ErrNotInstalled):
			p.Fatalf("handle %d: Load of store %d: got %v, %v; want ErrNotInstalled", i, id, got, err)
		case want != nil && err != nil:
			p.Fatalf("handle %d: Load of store %d: %v", i, id, err)
		case want != nil:
			if wrong := differs(got, *want); wrong != "" {
				p.Fatalf("handle %d: Load of store %d: %s differs: got %+v, want %+v", i, id, wrong, got, *want)
			}
		}
	}
}

// differs names a field in which two installations differ; empty if they are equal. A time may be rounded to the
// second. No scopes may be nil or empty.
func differs(got, want oauth.Install) string {
	switch {
	case got.StoreID != want.StoreID:
		return "StoreID"
	case got.Generation != want.Generation:
		return "Generation"
	case got.Installation != want.Installation:
		return "Installation"
	case got.Due != want.Due:
		return "Due"
	case !got.RetiredAt.IsZero():
		return "RetiredAt"
	case got.Token != want.Token:
		return "Token"
	case !slices.Equal(got.Scopes, want.Scopes):
		return "Scopes"
	case got.InstalledAt.Sub(want.InstalledAt).Abs() > time.Second:
		return "InstalledAt"
	}
	return ""
}

func loadNothing(p *tokens) {
	holds(p, storeID, nil)
	swap(p, storeID, 0, made(storeID, 1), true)
	holds(p, storeID+1, nil)
}

func swapInserts(p *tokens) {
	swap(p, storeID, 0, made(storeID, 5), true)
	holds(p, storeID, made(storeID, 5))
	swap(p, storeID, 0, made(storeID, 5), false) // the same call again, as after a lost answer
	swap(p, storeID, 0, made(storeID, 6), false)
	holds(p, storeID, made(storeID, 5))
}

func swapReplaces(p *tokens) {
	swap(p, storeID, 0, made(storeID, 5), true)
	swap(p, storeID, 4, made(storeID, 7), false)
	swap(p, storeID, 6, made(storeID, 7), false)
	holds(p, storeID, made(storeID, 5))
	swap(p, storeID, 5, made(storeID, 3), true) // generations have no order
	holds(p, storeID, made(storeID, 3))
	swap(p, storeID, 5, made(storeID, 3), false) // the same call again
	holds(p, storeID, made(storeID, 3))
}

func swapDeletes(p *tokens) {
	swap(p, storeID, 0, made(storeID, 5), true)
	swap(p, storeID, 4, nil, false)
	swap(p, storeID, 0, nil, false)
	holds(p, storeID, made(storeID, 5))
	swap(p, storeID, 5, nil, true)
	holds(p, storeID, nil)
	swap(p, storeID, 5, nil, false)
}

func swapNothing(p *tokens) {
	swap(p, storeID, 5, made(storeID, 6), false)
	holds(p, storeID, nil)
	swap(p, storeID, 5, nil, false)
	holds(p, storeID, nil)
}

func swapAfterDeletion(p *tokens) {
	swap(p, storeID, 0, made(storeID, 5), true)
	swap(p, storeID, 5, nil, true)
	swap(p, storeID, 5, made(storeID, 6), false)
	swap(p, storeID, 0, made(storeID, 7), true)
	swap(p, storeID, 5, made(storeID, 8), false)
	swap(p, storeID, 5, nil, false)
	holds(p, storeID, made(storeID, 7))
}

// storesAreApart uses ids that are equal in 32 bits or as a float.
func storesAreApart(p *tokens) {
	ids := []client.ID{1, 2, 1<<32 + 1, 1 << 53, 1<<53 + 1, 1<<63 - 2, 1<<63 - 1}
	for i, id := range ids {
		swap(p, id, 0, made(id, 5), true)
		for _, other := range ids[i+1:] {
			holds(p, other, nil)
		}
	}
	swap(p, ids[0], 5, made(ids[0], 6), true)
	swap(p, ids[1], 5, nil, true)
	holds(p, ids[0], made(ids[0], 6))
	holds(p, ids[1], nil)
	for _, id := range ids[2:] {
		holds(p, id, made(id, 5))
	}
}

func tokenFields(p *tokens) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	zone := time.FixedZone("", -3*60*60)
	installs := []oauth.Install{
		{Token: "a", Generation: 1},
		{Token: client.Secret(every), Scopes: oauth.ParseScopes("write_orders,read_products"), Generation: 1<<63 - 1},
		{
			Token:  client.Secret(strings.Repeat("long ", 1000)),
			Scopes: oauth.ParseScopes(`read_a'b read_a"b read_%s read_ñandú read_` + strings.Repeat("x", 300)),
		},
		{
			Token: " spaces at both ends ", Scopes: oauth.Scopes{},
			InstalledAt: time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, zone),
		},
		{
			Token: "'; DROP TABLE installs; --", Scopes: oauth.Scopes{"one_that_is_not_known_yet"},
			InstalledAt: time.Date(2099, 12, 31, 23, 59, 59, 0, time.UTC),
		},
	}
	for i, in := range installs {
		in.StoreID = client.ID(100 + i)
		if in.Generation == 0 {
			in.Generation = int64(i)<<53 + 1
		}
		swap(p, in.StoreID, 0, &in, true)
		holds(p, in.StoreID, &in)
		before := in.Generation
		in.Generation = before - 1 + 2*int64(i%2) // differs by one, which a float cannot represent
		if in.Generation <= 0 {
			in.Generation = 2
		}
		swap(p, in.StoreID, in.Generation, &in, false)
		swap(p, in.StoreID, before, &in, true)
		holds(p, in.StoreID, &in)
	}
}

func tokenFieldsAreCopied(p *tokens) {
	in := made(storeID, 5)
	swap(p, storeID, 0, in, true)
	in.Token, in.Scopes[0] = "changed", "changed"
	holds(p, storeID, made(storeID, 5))
	for _, store := range p.handles {
		loaded, err := store.Load(p.Context(), storeID)
		if err != nil {
			p.Fatal(err)
		}
		loaded.Scopes[0] = "changed"
	}
	holds(p, storeID, made(storeID, 5))
}

// secrecy checks the printed store and the errors of calls that hold a token.
func secrecy(p *tokens) {
	const canary = "cnry7f3acnry7f3a"
	in := made(storeID, 5)
	in.Token = canary
	swap(p, storeID, 0, in, true)
	shown := []any{}
	for _, store := range p.handles {
		_, err := store.Load(p.ended(), storeID)
		_, failed := store.Swap(p.ended(), storeID, 5, in)
		_, inserted := store.Swap(p.ended(), storeID+1, 0, in)
		shown = append(shown, store, err, failed, inserted)
	}
	p.hides(canary, shown...)
}
