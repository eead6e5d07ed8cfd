package res

import (
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Texts about the order and the stock of locations; all are assumed.
const (
	locationIsDefault = "The location is the default one"
	locationHasStock  = "The location has inventory levels"
	locationRepeated  = "The id may not be repeated."
	locationLeftOut   = "All locations of the store must be sent."
	priorityNoInteger = "The priority must be an integer of at least 0."
	priorityRepeated  = "The priority may not be repeated."
	priorityNoDefault = "One location must have priority 0."
)

// deleteLocation closes the gap that the location leaves.
func deleteLocation(tx *world.Tx, in *api.In) (any, error) {
	l, err := location(tx, in)
	if err != nil {
		return nil, err
	}
	if l.Priority == 0 {
		return nil, api.Unprocessable(locationIsDefault)
	}
	if tx.InventoryLevels.Count("location", l.ID) > 0 {
		return nil, api.Unprocessable(locationHasStock)
	}
	tx.Locations.Delete(l.ID)
	tx.Emit("location/deleted", map[string]any{"id": l.ID})
	rest, err := findLocations(tx, in)
	if err != nil {
		return nil, err
	}
	return nil, arrange(tx, rest)
}

// arrange gives the locations the priorities of their places and sends an event for each that changed.
func arrange(tx *world.Tx, list []world.Location) error {
	for i, l := range list {
		if l.Priority == i {
			continue
		}
		l.Priority = i
		if _, err := keepLocation(tx, l); err != nil {
			return err
		}
	}
	return nil
}

// priorityJSON is one element of the answer, as it was sent.
type priorityJSON struct {
	ID       string `json:"id"`
	Priority int64  `json:"priority"`
}

// prioritizeLocations requires each of the store's locations once, each with a priority of its own, one of which is 0.
func prioritizeLocations(tx *world.Tx, in *api.In) (any, error) {
	var list []struct {
		ID       string      `json:"id"`
		Priority body.Scalar `json:"priority"`
	}
	if err := body.DecodeArray(in, &list); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	out := []priorityJSON{}
	priorities := map[string]int{}
	taken := map[int64]bool{}
	for _, b := range list {
		id := strings.ToUpper(b.ID)
		n, ok := b.Priority.Within(0, 1<<30)
		_, repeated := priorities[id]
		switch {
		case !tx.Locations.Has(id):
			wrong.Add("id", body.NotSelectable("id"))
		case repeated:
			wrong.Add("id", locationRepeated)
		}
		switch {
		case !ok:
			wrong.Add("priority", priorityNoInteger)
		case taken[n]:
			wrong.Add("priority", priorityRepeated)
		}
		priorities[id], taken[n] = int(n), true
		out = append(out, priorityJSON{ID: id, Priority: n})
	}
	if len(priorities) < tx.Locations.Len() {
		wrong.Add("id", locationLeftOut)
	}
	if !taken[0] {
		wrong.Add("priority", priorityNoDefault)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	for _, l := range tx.Locations.All() {
		if l.Priority == priorities[l.ID] {
			continue
		}
		l.Priority = priorities[l.ID]
		if _, err := keepLocation(tx, l); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// makeLocationDefault puts the location in front of the others, which keep their
// order.
func makeLocationDefault(tx *world.Tx, in *api.In) (any, error) {
	l, err := location(tx, in)
	if err != nil {
		return nil, err
	}
	if l.Priority == 0 {
		return nil, api.Unprocessable(locationIsDefault)
	}
	list, err := findLocations(tx, in)
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(list, func(other world.Location) bool { return other.ID == l.ID })
	if err := arrange(tx, append([]world.Location{l}, rest...)); err != nil {
		return nil, err
	}
	return api.Record(location, showLocation)(tx, in)
}

// inventoryLevelJSON is a level as locations have it: its ids are texts.
type inventoryLevelJSON struct {
	ID         string `json:"id"`
	VariantID  string `json:"variant_id"`
	LocationID string `json:"location_id"`
	Stock      int64  `json:"stock"`
	CreatedAt  string `json:"created_at"`
	UpdatedAt  string `json:"updated_at"`
}

func showLevel(_ *world.Tx, _ *api.In, l world.InventoryLevel) any {
	return inventoryLevelJSON{
		ID:         strconv.FormatInt(l.ID, 10),
		VariantID:  strconv.FormatInt(l.VariantID, 10),
		LocationID: l.LocationID,
		Stock:      l.Stock,
		CreatedAt:  api.Stamp(l.CreatedAt),
		UpdatedAt:  api.Stamp(l.UpdatedAt),
	}
}

// levelPage counts in total what the filter leaves.
func levelPage(p api.Page) any {
	return struct {
		Total   int   `json:"total"`
		Page    int   `json:"page"`
		PerPage int   `json:"per_page"`
		Results []any `json:"results"`
	}{p.Total, p.Number, p.Size, p.Items}
}

func findLevels(tx *world.Tx, in *api.In) ([]world.InventoryLevel, error) {
	l, err := location(tx, in)
	if err != nil {
		return nil, err
	}
	variant, single := in.Int("variant_id")
	var out []world.InventoryLevel
	for _, level := range tx.InventoryLevels.Where("location", l.ID) {
		if !single || level.VariantID == variant {
			out = append(out, level)
		}
	}
	return out, nil
}
