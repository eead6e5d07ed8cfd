package value

import (
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestDate(t *testing.T) {
	for _, test := range []struct {
		json string
		want Date
		back string
	}{
		{`"2030-12-31"`, Date{2030, time.December, 31}, `"2030-12-31"`},
		{`"2030-12-31T23:59:59-03:00"`, Date{2030, time.December, 31}, `"2030-12-31"`},
		{`"2030-01-02 00:00:00"`, Date{2030, time.January, 2}, `"2030-01-02"`},
		{`"-0001-11-30T00:00:00+0000"`, Date{}, `null`},
		{`""`, Date{}, `null`},
		{`null`, Date{}, `null`},
	} {
		var d Date
		if err := wire.Unmarshal([]byte(test.json), &d); err != nil || d != test.want {
			t.Errorf("%s reads as %+v, %v, want %+v", test.json, d, err, test.want)
		}
		if back, err := wire.Marshal(d); err != nil || string(back) != test.back {
			t.Errorf("%s is written as %s, %v, want %s", test.json, back, err, test.back)
		}
	}
	var d Date
	for _, bad := range []string{`"31-12-2030"`, `"2030-02-30"`, `true`, `[]`} {
		if err := wire.Unmarshal([]byte(bad), &d); err == nil {
			t.Errorf("%s reads as %v, want an error", bad, d)
		}
	}
	if _, err := ParseDate("tomorrow"); err == nil || err.Error() != `date "tomorrow": must be YYYY-MM-DD` {
		t.Errorf("got %v", err)
	}
	if got, err := ParseDate("2030-01-31"); err != nil || got.String() != "2030-01-31" {
		t.Errorf("got %v, %v", got, err)
	}
	if got := (Date{2030, time.January, 32}).String(); got != "2030-02-01" {
		t.Errorf("January 32nd is %s, want 2030-02-01", got)
	}
	if DateOf(time.Time{}) != (Date{}) || !(Date{2030, 1, 1}).Before(Date{2030, 1, 2}) || (Date{2030, 1, 2}).Before(Date{2030, 1, 2}) {
		t.Error("DateOf or Before is wrong")
	}
}
