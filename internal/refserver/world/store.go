package world

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

// Store is one shop of the platform.
type Store struct {
	ID          int64
	Name        map[string]string
	Description map[string]string
	Type        string
	Email       string
	// Logo begins with //; empty is null.
	Logo                string
	ContactEmail        string
	Blog                string
	Address             string
	Phone               string
	WhatsappPhoneNumber string
	BusinessID          string
	BusinessName        string
	BusinessAddress     string
	// CustomerAccounts is optional or mandatory.
	CustomerAccounts string
	PlanName         string
	// TopPlan is set for the plans with ten times the request rate.
	TopPlan        bool
	Country        string
	Languages      []Language
	Domains        []string
	OriginalDomain string
	CurrentTheme   string
	MainLanguage   string
	MainCurrency   string
	AdminLanguage  string
	Features       []string
	// Contingencies are shown at the checkout instead of what a carrier offers that
	// does not answer.
	Contingencies []Contingency
	// Suspended is set while the merchant's payment has lapsed.
	Suspended bool
	// LastOrder is the greatest number that an order was given.
	LastOrder int64
	CreatedAt time.Time
}

// Language is a language a store speaks and the currency it speaks it in.
type Language struct {
	Code     string
	Currency string
	Active   bool
}

// AddStore keeps the store, giving it an id if it has none, and returns it as kept. Required members get a value if
// they have none.
func (w *World) AddStore(st Store) (Store, error) {
	now := w.clock.Now()
	err := w.change(func(s *state) ([]Event, error) {
		if st.ID == 0 {
			st.ID = s.free(s.stores.Has)
		}
		if st.CreatedAt.IsZero() {
			st.CreatedAt = s.stamp(now)
		}
		st.complete()
		if err := s.stores.Put(st.ID, st); err != nil {
			return nil, err
		}
		return nil, s.furnish(w.limits, st)
	})
	return st, err
}

func (st *Store) complete() {
	if st.MainLanguage == "" {
		st.MainLanguage = "en"
	}
	if st.MainCurrency == "" {
		st.MainCurrency = "USD"
	}
	if st.Name == nil {
		st.Name = map[string]string{st.MainLanguage: "Store " + strconv.FormatInt(st.ID, 10)}
	}
	if st.Description == nil {
		st.Description = map[string]string{}
	}
	if st.Languages == nil {
		st.Languages = []Language{{Code: st.MainLanguage, Currency: st.MainCurrency, Active: true}}
	}
	if st.AdminLanguage == "" {
		st.AdminLanguage = st.MainLanguage
	}
	if st.Country == "" {
		st.Country = "US"
	}
	if st.CustomerAccounts == "" {
		st.CustomerAccounts = "optional"
	}
	if st.OriginalDomain == "" {
		st.OriginalDomain = "store" + strconv.FormatInt(st.ID, 10) + ".example"
	}
	if st.Domains == nil {
		st.Domains = []string{st.OriginalDomain}
	}
}

// LanguageCodes are the codes of the languages, the main one first.
func (st Store) LanguageCodes() []string {
	codes := []string{st.MainLanguage}
	for _, l := range st.Languages {
		if l.Code != st.MainLanguage {
			codes = append(codes, l.Code)
		}
	}
	return codes
}

// EveryLanguage is a text in each of the languages.
func (st Store) EveryLanguage(text string) map[string]string {
	out := map[string]string{}
	for _, language := range st.LanguageCodes() {
		out[language] = text
	}
	return out
}

// MainText is the text in the main language or, without one, in the first language by
// code that has any.
func (st Store) MainText(by map[string]string) string {
	if text := by[st.MainLanguage]; text != "" {
		return text
	}
	for _, language := range slices.Sorted(maps.Keys(by)) {
		if by[language] != "" {
			return by[language]
		}
	}
	return ""
}

// Store returns the store with the id.
func (w *World) Store(id int64) (Store, bool) {
	s := w.read()
	return s.stores.Get(id)
}

// Stores returns every store by ascending id.
func (w *World) Stores() []Store {
	s := w.read()
	return s.stores.Values()
}

// Suspend stops the store's API access and webhooks, as when its payment lapses. The apps are notified before that.
func (w *World) Suspend(store int64) error { return w.setSuspended(store, true) }

// Resume gives the store its API access back and notifies the apps.
func (w *World) Resume(store int64) error { return w.setSuspended(store, false) }

func (w *World) setSuspended(store int64, suspended bool) error {
	return w.Update(0, store, func(tx *Tx) error {
		if tx.store.Suspended == suspended {
			return nil
		}
		tx.store.Suspended = false
		name := "app/resumed"
		if suspended {
			name = "app/suspended"
		}
		for _, in := range tx.state.installs.Where("store", strconv.FormatInt(store, 10)) {
			tx.EmitTo(in.App, name, ids(in.App))
		}
		tx.store.Suspended = suspended
		return nil
	})
}
