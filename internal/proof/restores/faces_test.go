package restores

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/webhook"
)

// face is a package that keeps rows: its acts before and after the moment of a copy, and what holds on the copy.
type face struct {
	name             string
	before, after    func(a *app) error
	restored, copied func(a *app) error // to the moment; of the latest state. Both continue.
}

func faces() []face {
	return []face{
		{"tokens", tokensBefore, tokensAfter, tokensRestored, tokensCopied},
		{"states", statesBefore, statesAfter, statesRestored, statesCopied},
		{"journal", journalBefore, journalAfter, journalRestored, journalCopied},
		{"ledger", ledgerBefore, ledgerAfter, ledgerRestored, ledgerCopied},
		{"copies", copiesBefore, copiesAfter, copiesRestored, copiesCopied},
		{"jobs", jobsBefore, jobsAfter, jobsRestored, jobsCopied},
		{"claims", claimsBefore, claimsAfter, claimsRestored, claimsCopied},
		{"rates", ratesBefore, ratesAfter, ratesRestored, ratesCopied},
		{"inbox", inboxBefore, inboxAfter, inboxRestored, inboxCopied},
	}
}

// install replaces the token of a store.
func install(a *app, store client.ID, token client.Secret, generation int64) error {
	held, err := a.tokens.Load(a, store)
	if err != nil && !errors.Is(err, oauth.ErrNotInstalled) {
		return err
	}
	in := &oauth.Install{StoreID: store, Token: token, Generation: generation, InstalledAt: time.Now()}
	swapped, err := a.tokens.Swap(a, store, held.Generation, in)
	return errors.Join(err, has("swapped", swapped, true))
}

func holds(a *app, store client.ID, want client.Secret) error {
	held, err := a.tokens.Load(a, store)
	return errors.Join(err, has("token", string(held.Token), string(want)))
}

func tokensBefore(a *app) error { return install(a, 1, "first", 11) }
func tokensAfter(a *app) error {
	return errors.Join(install(a, 1, "second", 12), install(a, 2, "other", 21))
}

// The platform refuses the older token, and merchants install the app again.
func tokensRestored(a *app) error {
	_, err := a.tokens.Load(a, 2)
	return errors.Join(holds(a, 1, "first"), fails("store 2", err, oauth.ErrNotInstalled),
		install(a, 1, "third", 13), holds(a, 1, "third"), install(a, 2, "again", 22), holds(a, 2, "again"))
}

func tokensCopied(a *app) error {
	return errors.Join(holds(a, 1, "second"), holds(a, 2, "other"), install(a, 1, "third", 13), holds(a, 1, "third"))
}

func put(a *app, state string) error {
	return a.tokens.Put(a, state, oauth.Pending{ReturnTo: "/", Expires: time.Now().Add(10 * time.Minute)})
}

func take(a *app, state string, want bool) error {
	_, ok, err := a.tokens.Take(a, state)
	return errors.Join(err, has("state "+state, ok, want))
}

func statesBefore(a *app) error { return put(a, "begun") }
func statesAfter(a *app) error  { return errors.Join(take(a, "begun", true), put(a, "later")) }

// A state that was used is there again, for the rest of its ten minutes: its code was used, too.
func statesRestored(a *app) error {
	return errors.Join(take(a, "begun", true), take(a, "later", false))
}
func statesCopied(a *app) error { return errors.Join(take(a, "begun", false), take(a, "later", true)) }

func intent(key string) client.Intent {
	return client.Intent{ID: ulid.MustNew(uint64(len(key)), nil), StoreID: 7, Path: "/categories", Key: key, Since: time.Unix(1e9, 0)}
}

// knows returns an error unless the journal has a key, whose intent is open or has ended.
func knows(a *app, key string, open bool) error {
	in := intent(key)
	in.ID = ulid.MustNew(100, nil)
	err := a.journal.Begin(a, in)
	taken, ok := errors.AsType[*sqljournal.TakenError](err)
	if !ok {
		return fmt.Errorf("%s: got %w, want a TakenError", key, err)
	}
	return has(key+" is open", taken.Open, open)
}

// create creates a category with its name as the key.
func create(a *app, name string) error {
	c := a.platform.Client()
	once := client.Once[client.Category]{
		Journal: a.journal,
		Among: func(since time.Time) client.List[client.Category] {
			return v202503.Categories(c).List(client.CategoryFilter{Window: client.Window{CreatedMin: since}})
		},
		Match: func(c *client.Category, key string) bool { return c.Name.Get("es") == key },
	}
	_, err := once.Create(a, name, func(ctx context.Context) (*client.Category, error) {
		return v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"es": name}})
	})
	return err
}

// made creates a category, and returns an error unless the platform then has this many of its name.
func made(a *app, name string, want int) error {
	return errors.Join(create(a, name), are(a, name, want))
}

func are(a *app, name string, want int) (err error) {
	n := 0
	c := a.platform.Client()
	for c, failed := range v202503.Categories(c).List(client.CategoryFilter{}).All(a) {
		if err = errors.Join(err, failed); failed == nil && c.Name.Get("es") == name {
			n++
		}
	}
	return errors.Join(err, has("categories "+name, n, want))
}

func journalBefore(a *app) error {
	return errors.Join(made(a, "early", 1), a.journal.Begin(a, intent("a")), a.journal.End(a, intent("a"), &client.Category{ID: 1}), a.journal.Begin(a, intent("bb")))
}

func journalAfter(a *app) error {
	return errors.Join(made(a, "lost", 1), made(a, "lost too", 1), a.journal.End(a, intent("bb"), &client.Category{ID: 2}),
		a.journal.Begin(a, intent("ccc")), a.journal.End(a, intent("ccc"), &client.Category{ID: 3}))
}

// An intent that has ended since is open, so its record is found. A key that was begun since is unknown, so its record
// is looked for, also after another one. A second record is made if the restore left no trace.
func journalRestored(a *app) error {
	records := 1
	if !a.moved {
		records = 2
	}
	return errors.Join(made(a, "new", 1), made(a, "lost", records), made(a, "lost too", records),
		knows(a, "a", false), knows(a, "bb", true), a.journal.End(a, intent("bb"), &client.Category{ID: 2}),
		knows(a, "bb", false), a.journal.Begin(a, intent("ccc")), knows(a, "ccc", true))
}

func journalCopied(a *app) error {
	taken := func(name string) error {
		return errors.Join(fails(name, create(a, name), sqljournal.ErrTaken), are(a, name, 1))
	}
	return errors.Join(taken("early"), taken("lost"), made(a, "new", 1),
		knows(a, "a", false), knows(a, "bb", false), knows(a, "ccc", false),
		a.journal.Begin(a, intent("dddd")), knows(a, "dddd", true))
}

func entry(key string) payments.Entry {
	at := time.Unix(1.7e9, 0)
	return payments.Entry{
		Key: key, State: payments.StateBegun, Call: payments.CallProcess, Owner: "a", About: payments.About{StoreID: 7, OrderID: 8},
		Amount: providers.Amount{Value: client.Cents(1050), Currency: "ARS"}, BegunAt: at, ChangedAt: at,
	}
}

// begin returns an error unless an operation begins, or had the state before.
func begin(a *app, key string, want payments.State) (payments.Entry, error) {
	e, begun, err := a.ledger.Begin(a, entry(key))
	if begun != (want == "") {
		err = errors.Join(err, fmt.Errorf("%s: begun %t", key, begun))
	}
	if !begun {
		err = errors.Join(err, has(key, e.State, want))
	}
	return e, err
}

// report ends an operation that has begun.
func report(a *app, e payments.Entry) error {
	e.State = payments.StateReported
	swapped, err := a.ledger.Swap(a, e)
	return errors.Join(err, has("swapped", swapped, true))
}

func ledgerBefore(a *app) error {
	_, err := begin(a, "p1", "")
	return err
}

func ledgerAfter(a *app) error {
	first, err := begin(a, "p1", payments.StateBegun)
	second, failed := begin(a, "p2", "")
	return errors.Join(err, failed, report(a, first), report(a, second))
}

// An operation that was reported since has begun, and goes on with its key. One that began since begins again.
func ledgerRestored(a *app) error {
	first, err := begin(a, "p1", payments.StateBegun)
	second, failed := begin(a, "p2", "")
	return errors.Join(err, failed, report(a, first), report(a, second))
}

func ledgerCopied(a *app) error {
	_, err := begin(a, "p1", payments.StateReported)
	_, failed := begin(a, "p2", payments.StateReported)
	third, fresh := begin(a, "p3", "")
	return errors.Join(err, failed, fresh, report(a, third))
}

func step(a *app, before, after string, id client.ID) error {
	return a.copy.Apply(a, client.CopyStep[client.Product]{Before: before, After: after, Put: []client.Product{{ID: id}}})
}

func copyIs(a *app, want string, ids ...client.ID) error {
	state, err := a.copy.State(a)
	got, failed := a.copy.IDs(a, 0, 10)
	return errors.Join(err, failed, has("state", state, want), has("records", fmt.Sprint(got), fmt.Sprint(ids)))
}

func copiesBefore(a *app) error { return step(a, "", "one", 1) }
func copiesAfter(a *app) error  { return step(a, "one", "two", 2) }

// Records and progress are of one moment, so the copy continues from there.
func copiesRestored(a *app) error {
	return errors.Join(copyIs(a, "one", 1), fails("a process from before", step(a, "two", "three", 3), client.ErrCopyMoved),
		step(a, "one", "again", 2), copyIs(a, "again", 1, 2))
}

func copiesCopied(a *app) error {
	return errors.Join(copyIs(a, "two", 1, 2), step(a, "two", "three", 3), copyIs(a, "three", 1, 2, 3))
}

// claim has another process claim a store for an hour.
func claim(a *app, store client.ID, until time.Time) error {
	_, err := a.db.ExecContext(a, `INSERT INTO commerce_claim (app, store, holder, taken, until, term) VALUES (0, $1, 'another', 1, $2, 3600000000)
		ON CONFLICT (app, store) DO UPDATE SET until = excluded.until`, store, until.UnixMicro())
	return err
}

func prepare(a *app, store client.ID) error {
	return a.claims.Install.OnInstalled(a, oauth.Install{StoreID: store})
}

func claimsBefore(a *app) error {
	return errors.Join(prepare(a, 1), claim(a, 2, time.Now().Add(time.Hour)))
}
func claimsAfter(a *app) error {
	return errors.Join(claim(a, 2, time.Unix(0, 0)), prepare(a, 2), prepare(a, 3))
}

// A claim that has ended since lasts until its term is over. Its holder is named.
func claimsRestored(a *app) error {
	err := prepare(a, 2)
	if err == nil || !strings.Contains(err.Error(), "another since 1970") {
		return fmt.Errorf("store 2: %v, want who has the claim", err)
	}
	return errors.Join(prepare(a, 1), prepare(a, 3), claim(a, 2, time.Unix(0, 0)), prepare(a, 2))
}

func claimsCopied(a *app) error { return errors.Join(prepare(a, 1), prepare(a, 2), prepare(a, 3)) }

func rate(a *app, key, want string) error {
	got, err := a.rates.Get(a, key)
	return errors.Join(err, has("rate "+key, string(got), want))
}

func ratesBefore(a *app) error { return a.rates.Put(a, "a", []byte(`"old"`), time.Hour) }

func ratesAfter(a *app) error {
	return errors.Join(a.rates.Put(a, "a", []byte(`"new"`), time.Hour), a.rates.Put(a, "b", []byte(`"b"`), time.Hour))
}

func ratesRestored(a *app) error {
	return errors.Join(rate(a, "a", `"old"`), rate(a, "b", ""), ratesAfter(a), rate(a, "b", `"b"`))
}

func ratesCopied(a *app) error { return errors.Join(rate(a, "a", `"new"`), rate(a, "b", `"b"`)) }

func accept(a *app, ids ...int) error {
	var all []error
	for _, id := range ids {
		var events webhook.Registry
		e := events.Entry("", "", fmt.Appendf(nil, `{"store_id":1,"event":"order/created","id":%d}`, id))
		_, err := a.inbox.Accept(a, e)
		all = append(all, err)
	}
	return errors.Join(all...)
}

// work runs n due entries. Each run has a greater fence than all before it, wherever they were.
func work(a *app, n int) error {
	leases, err := a.inbox.Lease(a, webhook.LeaseQuery{Limit: 10, Term: time.Hour})
	all := []error{err, has("leases", len(leases), n)}
	fence := a.fence
	for _, l := range leases {
		if l.Token <= a.fence {
			all = append(all, fmt.Errorf("token %d after %d: the fence rejects the run", l.Token, a.fence))
		}
		fence = max(fence, l.Token)
		_, err := a.inbox.Commit(a, l)
		all = append(all, err)
	}
	a.fence = fence
	return errors.Join(all...)
}

func inboxBefore(a *app) error { return errors.Join(accept(a, 1), work(a, 1), accept(a, 2)) }

func inboxAfter(a *app) error {
	return errors.Join(work(a, 1), accept(a, 3, 4), work(a, 2), accept(a, 5), work(a, 1), accept(a, 6))
}

// Order 2 runs again, and 3 to 6 are missing until a sweep finds them. Order 1 is known.
func inboxRestored(a *app) error {
	return errors.Join(accept(a, 1), work(a, 1), accept(a, 3, 4, 5, 6), work(a, 4), accept(a, 7), work(a, 1))
}

func inboxCopied(a *app) error {
	return errors.Join(accept(a, 1, 2, 3, 4, 5, 6), work(a, 1), accept(a, 7), work(a, 1))
}
