package sqlrates

import (
	"strings"
	"testing"
	"time"
)

// A Cache without a database says what is missing. What it does with one is tested in the modules with drivers.
func TestCacheWithoutDB(t *testing.T) {
	c := &Cache{}
	_, err := c.Get(t.Context(), "k")
	for _, err := range []error{err, c.Put(t.Context(), "k", []byte("{}"), time.Hour), c.Migrate(t.Context())} {
		if err == nil || !strings.Contains(err.Error(), "no DB: set") {
			t.Errorf("%v, want what to set", err)
		}
	}
	if s := (&Cache{Prefix: "shop_"}).Schema(); !strings.Contains(s, "shop_rate") || strings.Contains(s, "commerce_") {
		t.Errorf("the schema with a prefix: %s", s)
	}
}
