package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

var (
	north = ulid.MustParseStrict("01GQ2ZHK064BQRHGDB7CCV0Y6N")
	south = ulid.MustParseStrict("01GQ2ZHK064BQRHGDB7CCV0Y6P")
)

// rosario is an address with nothing but what is required.
var rosario = LocationAddressInput{
	Zipcode: "2000", Street: "Mitre", City: "Rosario",
	Province: NamedInput{"Santa Fe", "S"}, Region: NamedInput{"Litoral", "LIT"}, Country: NamedInput{"Argentina", "AR"},
}

func TestLocationReadsTolerantly(t *testing.T) {
	var l Location
	if err := wire.Unmarshal([]byte(`{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","store_id":"123","name":{"es_AR":"Sur"},"priority":"2","tags":["online","moon"],
		"address":{"zipcode":2000,"number":15,"floor":null,"verified_at":null,"province":{"name":"Santa Fe","code":"S","iso":"AR-S"}}}`), &l); err != nil {
		t.Fatal(err)
	}
	if l.ID != north || l.StoreID != 123 || l.Priority != 2 || l.Tags[1].Known() || l.Address.Zipcode != "2000" || l.Address.Number != "15" || !l.Address.VerifiedAt.IsZero() {
		t.Errorf("got %+v", l)
	}
	if string(l.Address.Province.Extra["iso"]) != `"AR-S"` {
		t.Errorf("province: got %+v, want iso kept", l.Address.Province)
	}
}

func TestLocationInputIsChecked(t *testing.T) {
	without := func(change func(*LocationAddressInput)) Opt[LocationAddressInput] {
		address := rosario
		change(&address)
		return Set(address)
	}
	name := Text{"es_AR": "Sur"}
	for _, test := range []struct {
		name     string
		creating bool
		in       LocationInput
		want     string
	}{
		{"whole", true, LocationInput{Name: name, Address: Set(rosario)}, ""},
		{"nothing to update", false, LocationInput{}, ""},
		{"no name", true, LocationInput{Address: Set(rosario)}, `name: "": must be a text`},
		{"a bare name", true, LocationInput{Name: Plain("Sur"), Address: Set(rosario)}, `name: "Sur": must be an object keyed by locale`},
		{"no address", true, LocationInput{Name: name}, `address.zipcode: ""`},
		{"no street", false, LocationInput{Address: without(func(a *LocationAddressInput) { a.Street = "" })}, `address.street: ""`},
		{"no city", false, LocationInput{Address: without(func(a *LocationAddressInput) { a.City = "" })}, `address.city: ""`},
		{"no province", false, LocationInput{Address: without(func(a *LocationAddressInput) { a.Province.Code = "" })}, `address.province.code: ""`},
		{"no region", false, LocationInput{Address: without(func(a *LocationAddressInput) { a.Region.Name = "" })}, `address.region.name: ""`},
		{"no country", false, LocationInput{Address: without(func(a *LocationAddressInput) { a.Country = NamedInput{} })}, `address.country.name: ""`},
		{"a tag of its own", false, LocationInput{Tags: []LocationTag{LocationOnline, "moon"}}, `tags[1]: "moon": must be online or offline`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(test.creating), test.want) })
	}
}

func TestPrioritiesAreChecked(t *testing.T) {
	for want, in := range map[string][]LocationPriority{
		"":                                  {{south, 1}, {north, 0}},
		`priorities: "0": must be all`:      nil,
		`[1].id: "` + north.String():        {{north, 0}, {north, 1}},
		`[0].id: "00000000000000000000`:     {{ulid.ULID{}, 0}},
		`[1].priority: "0": must be at`:     {{north, 0}, {south, 0}},
		`[0].priority: "-1": must be at`:    {{north, -1}},
		`priorities: "1": must be one loca`: {{north, 1}},
	} {
		refusal(t, checkPriorities(in), want)
	}
}

func TestLocationServiceRequests(t *testing.T) {
	ctx, id := t.Context(), north.String()
	requests(t, VersionV1, as[LocationService], []request[LocationService]{
		{
			`POST /v1/123/locations {"name":{"es_AR":"Sur"},"address":{"zipcode":"2000","street":"Mitre","city":"Rosario","province":{"name":"Santa Fe","code":"S"},` +
				`"region":{"name":"Litoral","code":"LIT"},"country":{"name":"Argentina","code":"AR"}}}`, `{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N"}`,
			func(s *LocationService) error {
				_, err := s.Create(ctx, LocationInput{Name: Text{"es_AR": "Sur"}, Address: Set(rosario)})
				return err
			},
		},
		{`PATCH /v1/123/locations/priorities [{"id":"` + id + `","priority":0}]`, `[{"id":"` + id + `","priority":0}]`, func(s *LocationService) error {
			got, err := s.Prioritize(ctx, []LocationPriority{{north, 0}})
			if err == nil && (len(got) != 1 || got[0] != LocationPriority{north, 0}) {
				t.Errorf("Prioritize gave %v", got)
			}
			return err
		}},
		{"GET /v1/123/locations/" + id + "/inventory-levels page=2&per_page=50&variant_id=7", `{"total":51,"page":2,"per_page":50,"results":[{"id":"1","variant_id":"7","location_id":"` + id + `","stock":3}]}`,
			func(s *LocationService) error {
				page, err := s.Levels(north, InventoryLevelFilter{Page: 2, PerPage: 50, VariantID: 7}).Page(ctx)
				if err == nil && (page.Total != 51 || len(page.Items) != 1 || page.Items[0].VariantID != 7 || page.Items[0].LocationID != north) {
					t.Errorf("got %+v", page)
				}
				return err
			}},
	})
	refused(t, VersionV1, as[LocationService], map[string]func(*LocationService) error{
		"name: ": func(s *LocationService) error { _, err := s.Create(ctx, LocationInput{}); return err },
		"tags[0]: ": func(s *LocationService) error {
			_, err := s.Update(ctx, north, LocationInput{Tags: []LocationTag{"x"}})
			return err
		},
		"priorities: ": func(s *LocationService) error { _, err := s.Prioritize(ctx, nil); return err },
	})
}

// The platform refuses a second call, so a lost answer is made up for by a read.
func TestMakeDefaultAfterALostAnswer(t *testing.T) {
	for stored, want := range map[string]error{`{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","is_default":true}`: nil, `{"is_default":false}`: ErrOutcomeUnknown} {
		patches := 0
		v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodPatch {
				patches++
				return nil, io.ErrUnexpectedEOF
			}
			return respond(r, strings.NewReader(stored), int64(len(stored))), nil
		}))
		if got, err := (*LocationService)(v).MakeDefault(t.Context(), north); !errors.Is(err, want) || want == nil && got.ID != north {
			t.Errorf("with %s: got %+v, %v, want %v", stored, got, err, want)
		}
		if patches != 1 {
			t.Errorf("with %s: %d PATCHes, want 1", stored, patches)
		}
	}
}
