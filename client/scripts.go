package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Script is JavaScript of the app in the storefront. Scripts and their versions are created in the partner portal. A
// script that is not installed automatically runs in the stores that it was associated with.
type Script struct {
	ID       ID             `json:"id"`
	Name     string         `json:"name"`     // shown to merchants
	Event    ScriptEvent    `json:"event"`    // when it is loaded
	Location ScriptLocation `json:"location"` // the pages that load it
	// IsAutoInstall reports whether the script runs in every store that installs the app. It requires no association.
	IsAutoInstall bool `json:"is_auto_install"`
	// Status is the status on the platform, such as "active".
	Status string `json:"status"`
	// Params are the parameters of the association with the store. A script that is installed automatically has none.
	Params Object `json:"params"`
	// CurrentVersion is the version that the storefront loads.
	CurrentVersion Nullable[ScriptVersion] `json:"current_version"`
	// DraftVersion is not Valid if there is no draft.
	DraftVersion Nullable[ScriptVersion] `json:"draft_version"`
	// Src and Where are set for scripts of the first generation, in version v1. Src is the https URL of the file. Where
	// is store, checkout or both, separated by commas.
	Src       string `json:"src,omitzero"`
	Where     string `json:"where,omitzero"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	Extra     Extra  `json:",embed"`
}

// ScriptVersion is one file of a script.
type ScriptVersion struct {
	ID ID `json:"id"`
	// Src is the URL that the storefront loads.
	Src string `json:"src"`
	// Version counts from 1.
	Version Int   `json:"version"`
	Extra   Extra `json:",embed"`
}

// ScriptEvent is the event at which the storefront runs a script.
type ScriptEvent string

// The values of ScriptEvent.
const (
	ScriptEventOnFirstInteraction ScriptEvent = "onfirstinteraction" // at the first interaction of the visitor
	// ScriptEventOnLoad requires the platform's approval for scripts of the storefront.
	ScriptEventOnLoad ScriptEvent = "onload"
)

// Known reports whether the contract names the value.
func (e ScriptEvent) Known() bool {
	return wire.Known(e, ScriptEventOnFirstInteraction, ScriptEventOnLoad)
}

// ScriptLocation is the kind of pages on which a script runs.
type ScriptLocation string

// The values of ScriptLocation.
const (
	ScriptLocationStore    ScriptLocation = "store"    // on the pages of the store
	ScriptLocationCheckout ScriptLocation = "checkout" // on the pages of the checkout
)

// Known reports whether the contract names the value.
func (l ScriptLocation) Known() bool {
	return wire.Known(l, ScriptLocationStore, ScriptLocationCheckout)
}

// ScriptInput is the body of Associate and Update.
type ScriptInput struct {
	// ScriptID is the script, which must not be installed automatically.
	ScriptID ID
	// QueryParams is encoded as a JSON object, so it must be a map or a struct. Nil means no parameters.
	QueryParams any
}

// MarshalJSON writes the parameters in the form that the platform requires, which is JSON in a string.
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
	if wire.Kind(data) != '{' {
		return "", engine.Invalid("query_params", string(data), "a map or a struct, so that it is encoded as a JSON object")
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

// ScriptFilter selects a page of scripts. The list does not support a selection of fields.
type ScriptFilter struct {
	// Page is the first page to read, from 1. Zero means 1.
	Page int
	// PerPage is the size of a page, 1 to MaxPerPage. Zero uses the platform's default for single pages and MaxPerPage
	// for the iterators.
	PerPage int
}

// ScriptService associates the app's scripts with the store. It requires the scope write_scripts. It is in all
// versions.
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

// Associate makes a script run in the store.
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

// Delete removes the association, so the script no longer runs in the store.
//
//api:endpoint DELETE /scripts/{id}
func (s *ScriptService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/scripts/{id}", id)
}
