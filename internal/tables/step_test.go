package tables

import (
	"testing"
	"testing/fstest"
)

func TestSteps(t *testing.T) {
	first, second := "-- compatible from 1\nCREATE TABLE a (b TEXT);\n", "-- compatible from 2\nDROP TABLE a;\n"
	all, err := Steps(fstest.MapFS{"migrations/0002.sql": {Data: []byte(second)}, "migrations/0001.sql": {Data: []byte(first)}})
	if err != nil || len(all) != 2 {
		t.Fatalf("%d steps, %v; want 2", len(all), err)
	}
	for i, want := range []Step{{"migrations/0001.sql", first, 1}, {"migrations/0002.sql", second, 2}} {
		if all[i] != want {
			t.Errorf("step %d: got %+v, want %+v", i+1, all[i], want)
		}
	}
	for _, wrong := range []string{"", "DROP TABLE a;\n", "-- compatible from\n", "-- compatible from 0\n", "-- compatible from 2\n"} {
		if _, err := Steps(fstest.MapFS{"migrations/0001.sql": {Data: []byte(wrong)}}); err == nil {
			t.Errorf("a first migration that begins with %q: no error", wrong)
		}
	}
}
