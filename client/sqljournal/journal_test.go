package sqljournal

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
)

// A journal that could not end an intent is refused before anything is begun.
func TestValid(t *testing.T) {
	type unnamed struct{ Number int }
	db := new(sql.DB)
	for want, err := range map[string]error{
		"DB: must be set":  (&Journal[client.Order]{Name: "a"}).valid(),
		`Name "": must be`: (&Journal[client.Order]{DB: db}).valid(),
		"Term 9.999s":      (&Journal[client.Order]{DB: db, Name: "a", Term: leastTerm - time.Millisecond}).valid(),
		"Term -1ns":        (&Journal[client.Order]{DB: db, Name: "a", Term: -1}).valid(),
		"ID: must be set":  (&Journal[unnamed]{DB: db, Name: "a"}).valid(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for _, err := range []error{
		(&Journal[client.Order]{DB: db, Name: strings.Repeat("a", mostName), Term: leastTerm}).valid(),
		(&Journal[unnamed]{DB: db, Name: "a", ID: func(u *unnamed) string { return fmt.Sprint(u.Number) }}).valid(),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestID(t *testing.T) {
	id := ulid.MustParse("01ARZ3NDEKTSV4RRFFQ69G5FAV")
	type payment struct{ ID uuid.UUID }
	for want, got := range map[string]string{
		"55":                                   (&Journal[client.Order]{}).id(&client.Order{ID: 55}),
		id.String():                            (&Journal[client.Location]{}).id(&client.Location{ID: id}),
		"00000000-0000-0000-0000-000000000001": (&Journal[payment]{}).id(&payment{uuid.UUID{15: 1}}),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTakenError(t *testing.T) {
	in := client.Intent{ID: ulid.MustParse("01ARZ3NDEKTSV4RRFFQ69G5FAV"), StoreID: 7, Path: "/orders", Key: "import 7"}
	begins := `the key is taken: "import 7" of 7/orders has intent 01ARZ3NDEKTSV4RRFFQ69G5FAV, which `
	for want, err := range map[string]error{
		begins + "is open":        &TakenError{Intent: in, Open: true},
		begins + "made record 55": &TakenError{Intent: in, Record: "55"},
	} {
		if err.Error() != want || !errors.Is(err, ErrTaken) || errors.Is(err, ErrHeld) {
			t.Errorf("got %q, want %q, which is ErrTaken", err, want)
		}
	}
}

// Microseconds are cut, so that no record is older than Since says.
func TestMicro(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6999, time.FixedZone("", 3600))
	if got := fromMicro(toMicro(at)); !got.Equal(at.Truncate(time.Microsecond)) || got.Location() != time.UTC {
		t.Errorf("got %v", got)
	}
	if got := fromMicro(toMicro(time.Time{})); !got.IsZero() {
		t.Errorf("zero: got %v", got)
	}
}
