package client

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
	"github.com/google/uuid"
)

func TestProductReadsTolerantly(t *testing.T) {
	var p Product
	err := wire.Unmarshal([]byte(`{"id":"9007199254740993","name":"Mug","seo_title":{"es":"Taza"},"brand":null,"tags":"","video_url":null,
		"categories":[{"id":4567,"name":{"es":"Tazas"},"parent":null,"subcategories":[]}],"variants":[],"images":[{"id":1,"alt":[]}]}`), &p)
	if err != nil {
		t.Fatal(err)
	}
	if p.ID != 9007199254740993 || p.Name.Get() != "Mug" || p.SEOTitle.Get("es") != "Taza" || p.Brand != nil || p.VideoURL != "" {
		t.Errorf("got %+v", p)
	}
	if c := p.Categories[0]; c.ID != 4567 || c.Parent != nil || c.Visibility != "" {
		t.Errorf("abbreviated category: got %+v", c)
	}
	if alt := p.Images[0].Alt.Get(); alt != "" {
		t.Errorf("alt = %q, want none", alt)
	}
}

func TestProductTags(t *testing.T) {
	for tags, want := range map[string][]string{
		"":                 nil,
		" , ":              nil,
		"clay":             {"clay"},
		"clay, hand made,": {"clay", "hand made"},
	} {
		if got := (&Product{Tags: tags}).TagList(); !reflect.DeepEqual(got, want) {
			t.Errorf("TagList of %q = %q, want %q", tags, got, want)
		}
	}
	if got, want := JoinTags("clay", "hand made"), "clay,hand made"; got != want {
		t.Errorf("JoinTags = %q, want %q", got, want)
	}
}

func TestProductInputSendsAbsentNullAndValue(t *testing.T) {
	for _, test := range []struct {
		in   ProductInput
		want string
	}{
		{ProductInput{}, `{}`},
		{ProductInput{Name: Plain("Mug")}, `{"name":"Mug"}`},
		{ProductInput{Name: Text{"es": "Taza"}, SEOTitle: Plain("T")}, `{"name":{"es":"Taza"},"seo_title":"T"}`},
		{ProductInput{Categories: Set([]ID(nil))}, `{"categories":[]}`},
		{ProductInput{Categories: Set([]ID{1, 2})}, `{"categories":[1,2]}`},
		{ProductInput{Brand: Null[string](), Tags: Set("")}, `{"brand":null,"tags":""}`},
		{ProductInput{Published: Set(false), RequiresShipping: Set(false)}, `{"published":false,"requires_shipping":false}`},
		{ProductInput{Variants: []VariantInput{{Price: Set(Cents(1050)), Stock: Set(StockUnlimited)}}}, `{"variants":[{"price":"10.50","stock":""}]}`},
		{ProductInput{Images: []ImageInput{{Src: "https://i.example/1.png"}}}, `{"images":[{"src":"https://i.example/1.png"}]}`},
		{ProductInput{Attributes: []Text{Plain("Size")}}, `{"attributes":["Size"]}`},
	} {
		if got, err := wire.Marshal(test.in); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v, want %s", got, err, test.want)
		}
	}
}

// refusal checks that err is ErrValidation and says want; no error is wanted if want is empty.
func refusal(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("got %v, want no error", err)
		}
		return
	}
	if !errors.Is(err, ErrValidation) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want ErrValidation %s", err, want)
	}
}

func TestProductInputIsChecked(t *testing.T) {
	size := []Text{Plain("Size")}
	small := VariantInput{Values: []Text{Plain("S")}}
	for _, test := range []struct {
		name     string
		creating bool
		in       ProductInput
		want     string
	}{
		{"no name to update", false, ProductInput{}, ""},
		{"no name to create", true, ProductInput{}, `name: "": must be a text`},
		{"blank name", true, ProductInput{Name: Text{"es": " "}}, `name: " ": must be a text`},
		{"one language is enough", true, ProductInput{Name: Text{"es": "", "en": "Mug"}}, ""},
		{"seo_title of 70", false, ProductInput{SEOTitle: Plain(strings.Repeat("ñ", 70))}, ""},
		{"seo_title of 71", false, ProductInput{SEOTitle: Text{"es": strings.Repeat("ñ", 71)}}, `seo_title.es: "ñññ`},
		{"plain seo_title of 71", false, ProductInput{SEOTitle: Plain(strings.Repeat("a", 71))}, `seo_title: "aaa`},
		{"seo_description of 321", false, ProductInput{SEODescription: Plain(strings.Repeat("a", 321))}, `seo_description: "aaa`},
		{"insecure video", false, ProductInput{VideoURL: Set("http://v.example/1")}, `video_url: "http://v.example/1": must be an https URL`},
		{"relative video", false, ProductInput{VideoURL: Set("https:v")}, `video_url: "https:v": must be an https URL`},
		{"no video", false, ProductInput{VideoURL: Set("")}, ""},
		{"category 0", false, ProductInput{Categories: Set([]ID{7, 0})}, `categories[1]: "0": must be the id of a category`},
		{"four attributes", false, ProductInput{Attributes: []Text{Plain("a"), Plain("b"), Plain("c"), Plain("d")}}, `attributes: "4": must be at most 3 attributes`},
		{"same attribute twice", false, ProductInput{Attributes: []Text{{"es": "a"}, {"es": "a"}}}, `attributes[1]: "a": must be names that are distinct`},
		{"value without attribute", true, ProductInput{Name: Plain("Mug"), Variants: []VariantInput{small}}, `variants[0].values: "1": must be one value for each of the 0 attributes`},
		{"as many values as attributes", true, ProductInput{Name: Plain("Mug"), Attributes: size, Variants: []VariantInput{small}}, ""},
		{"attribute without value", false, ProductInput{Attributes: size, Variants: []VariantInput{small, {}}}, `variants[1].values: "0": must be one value`},
		{"attributes not known", false, ProductInput{Variants: []VariantInput{small}}, ""},
		{"1001 variants", false, ProductInput{Variants: make([]VariantInput, 1001)}, `variants: "1001": must be at most 1000 variants`},
		{"bad variant", false, ProductInput{Variants: []VariantInput{{Price: Set(Cents(-1))}}}, `variants[0].price: "-0.01": must be 0 or more`},
		{"251 images", false, ProductInput{Images: make([]ImageInput, 251)}, `images: "251": must be at most 250 images`},
		{"image from a file", true, ProductInput{Name: Plain("Mug"), Images: []ImageInput{{Attachment: []byte("GIF89a"), Filename: "a.gif"}}}, `images[0].attachment: "6": must be a src`},
		{"image without source", false, ProductInput{Images: []ImageInput{{}}}, `images[0].src: "0": must be exactly one`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(VersionV1, test.creating), test.want) })
	}
	media := ProductInput{Name: Plain("Mug"), Images: []ImageInput{{StoreMediaUUID: uuid.MustParse("6f9619ff-8b86-4d01-b42d-00cf4fc964ff")}}}
	if err := media.check(Version202503, true); !errors.Is(err, ErrNotInVersion) {
		t.Errorf("store media in 2025-03: got %v, want ErrNotInVersion", err)
	}
	if err := media.check(VersionUnstable, true); err != nil {
		t.Errorf("store media in unstable: got %v, want no error", err)
	}
}

func TestProductFilterBecomesParameters(t *testing.T) {
	at := time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		f    ProductFilter
		want string
	}{
		{ProductFilter{}, ""},
		{ProductFilter{Paging: Paging{Page: 2, PerPage: 50, Fields: []string{"id", "name"}}}, "fields=id%2Cname&page=2&per_page=50"},
		{ProductFilter{Window: Window{at, at, at, at}},
			"created_at_max=2024-05-08T10%3A00%3A00Z&created_at_min=2024-05-08T10%3A00%3A00Z&updated_at_max=2024-05-08T10%3A00%3A00Z&updated_at_min=2024-05-08T10%3A00%3A00Z"},
		{ProductFilter{SinceID: 5, IDs: []ID{7, 8}, CategoryID: 9}, "category_id=9&ids=7%2C8&since_id=5"},
		{ProductFilter{Language: "es", Handle: "taza", Query: "te verde", Sort: ProductSortBestSelling}, "handle=taza&language=es&q=te+verde&sort_by=best-selling"},
		{ProductFilter{Published: Set(false), FreeShipping: Set(true)}, "free_shipping=true&published=false"},
		{ProductFilter{Visibility: ProductHidden}, "visibility=hidden"},
		{ProductFilter{MaxStock: Set(0), MinStock: Set(0)}, "max_stock=0&min_stock=0"},
		{ProductFilter{HasPromotionalPrice: Set(true), HasWeight: Set(true), HasAllDimensions: Set(true), HasWeightAndAllDimensions: Set(true)},
			"has_all_dimensions=true&has_promotional_price=true&has_weight=true&has_weight_and_all_dimensions=true"},
	} {
		if q := test.f.query(); q.err != nil || q.values.Encode() != test.want {
			t.Errorf("got %s, %v, want %s", q.values.Encode(), q.err, test.want)
		}
	}
	refusal(t, ProductFilter{IDs: make([]ID, 31)}.query().err, `ids: "31": must be at most 30 ids`)
	refusal(t, ProductFilter{Published: Set(false), Visibility: ProductVisible}.query().err, `visibility: "visible": must be either visibility or published`)
	for _, v := range strings.Fields("visible unlisted hidden") {
		if !ProductVisibility(v).Known() {
			t.Errorf("%s is not known", v)
		}
	}
	if ProductVisibility("soft-hidden").Known() {
		t.Error("a value of categories is known")
	}
}

func TestProductSortsOfTheContract(t *testing.T) {
	for _, sort := range strings.Fields(`user price-ascending cost-ascending price-descending cost-descending alpha-ascending name-ascending
		alpha-descending name-descending created-at-ascending created-at-descending best-selling`) {
		if !ProductSort(sort).Known() {
			t.Errorf("%s is not known", sort)
		}
	}
	if ProductSort("random").Known() {
		t.Errorf("random is known; want only the contract's values")
	}
}

func TestProductServiceRequests(t *testing.T) {
	ctx := t.Context()
	for want, call := range map[string]func(*ProductService) error{
		"GET /v1/123/products/42 fields=id": func(s *ProductService) error { _, err := s.Get(ctx, 42, "id"); return err },
		"GET /v1/123/products/sku/a%2Fb%3F": func(s *ProductService) error { _, err := s.BySKU(ctx, "a/b?"); return err },
	} {
		v, seen := answering(t, VersionV1, `{"id":42}`)
		if err := call((*ProductService)(v)); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if len(*seen) != 1 || (*seen)[0].String() != want {
			t.Errorf("asked %v, want %s", *seen, want)
		}
	}
}

func TestProductServiceRefusesBeforeSending(t *testing.T) {
	v, seen := answering(t, VersionV1, `{}`)
	s := (*ProductService)(v)
	_, err := s.Create(context.Background(), ProductInput{})
	refusal(t, err, "name: ")
	_, err = s.Update(context.Background(), 42, ProductInput{SEOTitle: Plain(strings.Repeat("a", 71))})
	refusal(t, err, "seo_title: ")
	_, err = s.List(ProductFilter{IDs: make([]ID, 31)}).Page(context.Background())
	if !errors.Is(err, ErrValidation) {
		t.Errorf("List: got %v, want ErrValidation", err)
	}
	if len(*seen) > 0 {
		t.Errorf("asked %v, want nothing", *seen)
	}
}
