package world

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Script is JavaScript that an app has registered with the platform, apart from
// any store. The partner portal makes scripts and their versions, the API does not.
type Script struct {
	ID     int64
	Name   string
	Handle string
	// Event is onfirstinteraction or onload, Location is store or checkout.
	Event    string
	Location string
	// Status is that of the script in the portal, for example active.
	Status string
	// AutoInstalled scripts are active in every store that installs the app; others
	// need a ScriptLink.
	AutoInstalled bool
	// Current and Draft are nil for null.
	Current   *ScriptVersion
	Draft     *ScriptVersion
	CreatedAt time.Time
	UpdatedAt time.Time
}

// ScriptVersion is a file of a script.
type ScriptVersion struct {
	ID int64
	// Version counts from 1.
	Version int
	// VersionID stands in the address of the file.
	VersionID string
}

// ScriptLink activates a script that is not auto-installed in a store. Its key is
// the id of the script.
type ScriptLink struct {
	Script int64
	App    int64
	// Params are handed to the script in this store: a JSON object.
	Params    json.RawMessage
	UpdatedAt time.Time
}

// Indexes find the links of an app.
func (l ScriptLink) Indexes() []table.Entry {
	return []table.Entry{table.Multi("app", strconv.FormatInt(l.App, 10))}
}

// register completes the scripts of an app: each has an id, those of its versions,
// and a time.
func (s *state) register(scripts []Script, now time.Time) []Script {
	id := func(have int64) int64 {
		if have != 0 {
			return have
		}
		s.lastID++
		return s.lastID
	}
	version := func(v *ScriptVersion) *ScriptVersion {
		if v == nil {
			return nil
		}
		kept := *v
		kept.ID = id(v.ID)
		return &kept
	}
	var out []Script
	for _, k := range scripts {
		k.ID, k.Current, k.Draft = id(k.ID), version(k.Current), version(k.Draft)
		if k.CreatedAt.IsZero() {
			k.CreatedAt, k.UpdatedAt = now, now
		}
		out = append(out, k)
	}
	return out
}
