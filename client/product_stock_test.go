package client

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestStockReadsAndWrites(t *testing.T) {
	for in, want := range map[string]Stock{`5`: 5, `"5"`: 5, `0`: 0, `""`: StockUnlimited, `null`: StockUnlimited} {
		var n Stock
		if err := wire.Unmarshal([]byte(in), &n); err != nil || n != want {
			t.Errorf("%s: got %s, %v, want %s", in, n, err, want)
		}
	}
	for n, want := range map[Stock]string{5: "5", 0: "0", StockUnlimited: `""`} {
		if got, err := wire.Marshal(n); err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", n, got, err, want)
		}
	}
}

// Null is unlimited, and was read as sold out.
func TestInventoryLevelWithoutLimit(t *testing.T) {
	var levels []InventoryLevel
	if err := wire.Unmarshal([]byte(`[{"stock":null},{"stock":0}]`), &levels); err != nil || levels[0].Stock != nil || levels[1].Stock == nil {
		t.Errorf("got %+v, %v; want unlimited and none", levels, err)
	}
}
