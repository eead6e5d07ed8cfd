package world

import "time"

// Location is a place of the store that holds stock.
type Location struct {
	// ID is a ULID.
	ID string
	// Name is keyed by locale, for example es_AR.
	Name    map[string]string
	Address LocationAddress
	// Priority orders the locations that stock is taken from; 0 is the default one.
	Priority int
	// Tags are online and offline, for the channels the location serves.
	Tags      []string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// LocationAddress is where a location is. Texts are empty for null.
type LocationAddress struct {
	Zipcode        string
	Street         string
	Number         string
	Floor          string
	Locality       string
	City           string
	Reference      string
	BetweenStreets string
	Province       Region
	Region         Region
	Country        Region
	// VerifiedAt is zero for null.
	VerifiedAt time.Time
}

// Region is a named part of the world with its code.
type Region struct {
	Name string
	Code string
}

// FirstLocation returns the location with the lowest priority: the one that stock
// without a location belongs to. Every store has one from the start.
func (tx *Tx) FirstLocation() Location {
	var first Location
	for _, l := range tx.Locations.All() {
		if first.ID == "" || l.Priority < first.Priority {
			first = l
		}
	}
	return first
}

// furnish gives a new store its first location and its e-mail templates.
func (s *state) furnish(l Limits, st Store) error {
	if s.data.Has(st.ID) {
		return nil
	}
	tx, err := begin(s, l, 0, st.ID)
	if err != nil {
		return err
	}
	tx.now = st.CreatedAt
	first := Location{
		ID:   tx.NewULID(),
		Name: map[string]string{st.MainLanguage + "_" + st.Country: "Main"},
		Address: LocationAddress{
			Zipcode:  "1000",
			Street:   "Main street",
			Number:   "1",
			City:     "Springfield",
			Province: Region{Name: "Central", Code: "C"},
			Region:   Region{Name: "Centre", Code: "CEN"},
			Country:  Region{Name: st.Country, Code: st.Country},
		},
		Tags:      []string{"online", "offline"},
		CreatedAt: tx.now,
		UpdatedAt: tx.now,
	}
	if err := tx.Locations.Put(first.ID, first); err != nil {
		return err
	}
	for _, template := range emailTemplates(st) {
		if err := tx.EmailTemplates.Put(template.ID, template); err != nil {
			return err
		}
	}
	tx.commit()
	return nil
}
