package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Script is JavaScript of the app in the storefront. Scripts and their versions
// are made in the partner portal. One that is not installed automatically acts in
// a store that it was associated with.
type Script struct {
	ID       ID             `json:"id"`
	Name     string         `json:"name"`     // as merchants see it
	Event    ScriptEvent    `json:"event"`    // when it is loaded
	Location ScriptLocation `json:"location"` // on which pages
	// IsAutoInstall: the script acts in every store that installs the app and needs
	// no association.
	IsAutoInstall bool `json:"is_auto_install"`
	// Status is the platform's, such as "active".
	Status string `json:"status"`
	// Params are those that the store was associated with; none for a script that
	// is installed automatically.
	Params Object `json:"params"`
	// CurrentVersion is what the storefront loads.
	CurrentVersion Nullable[ScriptVersion] `json:"current_version"`
	// DraftVersion is not Valid if there is no draft.
	DraftVersion Nullable[ScriptVersion] `json:"draft_version"`
	// Src and Where are told of scripts of the first generation, in version v1: the
	// https URL of the file, and store, checkout or both, separated by commas.
	Src       string `json:"src,omitzero"`
	Where     string `json:"where,omitzero"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	Extra     Extra  `json:",embed"`
}

// ScriptVersion is one file of a script.
type ScriptVersion struct {
	ID ID `json:"id"`
	// Src is the address that the storefront loads.
	Src string `json:"src"`
	// Version counts from 1.
	Version Int   `json:"version"`
	Extra   Extra `json:",embed"`
}

// ScriptEvent says when the storefront runs a script.
type ScriptEvent string

// The values of ScriptEvent.
const (
	ScriptEventOnFirstInteraction ScriptEvent = "onfirstinteraction" // when the visitor does something first
	// ScriptEventOnLoad needs the platform's approval for scripts of the storefront.
	ScriptEventOnLoad ScriptEvent = "onload"
)

// Known reports whether the contract names the value.
func (e ScriptEvent) Known() bool {
	return enum.Known(e, ScriptEventOnFirstInteraction, ScriptEventOnLoad)
}

// ScriptLocation says on which pages a script runs.
type ScriptLocation string

// The values of ScriptLocation.
const (
	ScriptLocationStore    ScriptLocation = "store"    // on the pages of the store
	ScriptLocationCheckout ScriptLocation = "checkout" // on those of the checkout
)

// Known reports whether the contract names the value.
func (l ScriptLocation) Known() bool {
	return enum.Known(l, ScriptLocationStore, ScriptLocationCheckout)
}

// ScriptInput is the body of Associate and Update.
type ScriptInput struct {
	// ScriptID is the script, which is not one that is installed automatically.
	ScriptID ID
	// QueryParams is encoded as a JSON object: a map or a struct. Nil stands for none.
	QueryParams any
}

// MarshalJSON writes the parameters as the platform wants them: JSON in a string.
func (in ScriptInput) MarshalJSON() ([]byte, error) {
	params, err := in.params()
	if err != nil {
		return nil, err
	}
	return wire.Marshal(struct {
		ScriptID    ID     `json:"script_id"`
		QueryParams string `json:"query_params"`
	}{in.ScriptID, params})
}

// params returns the JSON of the parameters.
func (in ScriptInput) params() (string, error) {
	if in.QueryParams == nil {
		return "{}", nil
	}
	data, err := wire.Marshal(in.QueryParams)
	if err != nil {
		return "", fmt.Errorf("query_params: %w", err)
	}
	if kind(data) != '{' {
		return "", engine.Invalid("query_params", string(data), "a map or a struct, which makes an object")
	}
	return string(data), nil
}

func (in ScriptInput) check() error {
	if in.ScriptID <= 0 {
		return engine.Invalid("script_id", in.ScriptID, "the id of a script of the app")
	}
	_, err := in.params()
	return err
}

// ScriptFilter selects a page of scripts. The list knows no selection of fields.
type ScriptFilter struct {
	// Page is the first page to read, from 1. Zero is 1.
	Page int
	// PerPage is the size of a page, 1 to MaxPerPage. Zero leaves it to the platform
	// for single pages and means MaxPerPage for the iterators.
	PerPage int
}

// ScriptService associates the app's scripts with the store, with the scope
// write_scripts. All versions have it.
type ScriptService engine.Service

// List selects the scripts of the store.
//
//api:endpoint GET /scripts
func (s *ScriptService) List(f ScriptFilter) List[Script] {
	return listOf[Script](s, newQuery().paging(Paging{Page: f.Page, PerPage: f.PerPage}), engine.ListSpec{Path: "/scripts", Envelope: []string{"result"}, Total: "total"})
}

// Get returns a script.
//
//api:endpoint GET /scripts/{id}
func (s *ScriptService) Get(ctx context.Context, id ID) (*Script, error) {
	return engine.Get[Script](ctx, s, "/scripts/{id}", nil, id)
}

// Associate makes a script act in the store.
//
//api:endpoint POST /scripts
func (s *ScriptService) Associate(ctx context.Context, in ScriptInput) (*Script, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[Script](ctx, s, http.MethodPost, "/scripts", in)
}

// Update replaces the parameters of a script in the store.
//
//api:endpoint PUT /scripts/{id}
func (s *ScriptService) Update(ctx context.Context, id ID, in ScriptInput) (*Script, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[Script](ctx, s, http.MethodPut, "/scripts/{id}", in, id)
}

// Delete ends the association: the script acts in the store no more.
//
//api:endpoint DELETE /scripts/{id}
func (s *ScriptService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/scripts/{id}", id)
}
