package main

import (
	"slices"
	"strings"
	"testing"
)

// The catalog of the repository is as large and as varied as the demonstration says.
func TestCatalogOfTheRepository(t *testing.T) {
	c, err := parseCatalog(strings.NewReader(demonstrated))
	if err != nil || len(c.problems) > 0 {
		t.Fatalf("got problems %v and error %v, want none", c.problems, err)
	}
	if want := []string{"es", "pt", "en"}; !slices.Equal(c.languages, want) {
		t.Errorf("got languages %v, want %v", c.languages, want)
	}
	two, reduced, onRequest, unlimited, single := 0, 0, 0, 0, 0
	paths := map[string]bool{}
	for _, p := range c.products {
		if len(p.input.Name) != 3 || len(p.input.Description) != 3 || len(p.path) != 3 {
			t.Errorf("%s: want name and description in three languages and a category on the third level", p.handle)
		}
		var path []string
		for _, name := range p.path {
			path = append(path, name["en"])
			paths[strings.Join(path, " > ")] = true
		}
		first := p.input.Variants[0]
		for n, is := range map[*int]bool{
			&two: len(p.input.Attributes) == 2, &reduced: !first.PromotionalPrice.IsZero(), &onRequest: first.Price.IsNull(),
			&unlimited: first.Stock.Or(0) < 0, &single: len(p.input.Attributes) == 0,
		} {
			if is {
				*n++
			}
		}
	}
	if n := len(c.products); n < 300 || two < n/2 || reduced < n/6 || onRequest == 0 || unlimited == 0 || single == 0 || len(paths) < 30 {
		t.Errorf("got %d products (%d with two attributes, %d reduced, %d on request, %d unlimited, %d without variants) in %d categories",
			n, two, reduced, onRequest, unlimited, single, len(paths))
	}
}

func TestBadCells(t *testing.T) {
	const header = "handle,name_en,name_pt,category_en,category_pt,published,seo_title,brand,attribute1_en,attribute2_en,value1_en,value2_en,sku,price,promotional_price,stock,weight,width,barcode,image_src\n"
	const good = "mug,Mug,Caneca,Home,Casa,true,Mug,Ours,Colour,,Red,,MUG-R,12.50,9.90,3,0.3,9,20000004,https://img.example.com/mug.jpg\n"
	tests := []struct {
		name string
		row  string
		want string
	}{
		{"handle", "Big Mug,Mug,,,,,,,,,,,,,,,,,,", `line 3, column handle: "Big Mug": must be lower-case letters and digits, with single hyphens between them`},
		{"name", "cup,,,,,,,,,,,,,,,,,,,", `line 3, column name_en: "": must not be empty in all languages`},
		{"levels", "cup,Cup,,Home > Kitchen,Casa,,,,,,,,,,,,,,,", `line 3, column category_pt: "Casa": must have as many levels in every language`},
		{"level without name", "cup,Cup,,Home > ,,,,,,,,,,,,,,,,", `line 3, column category_en: "Home >": must have a name on every level`},
		{"flag", "cup,Cup,,,,yes,,,,,,,,,,,,,,", `line 3, column published: "yes": must be true or false`},
		{"long title", "cup,Cup,,,,," + strings.Repeat("ü", 71) + ",,,,,,,,,,,,,", `line 3, column seo_title: "` + strings.Repeat("ü", 60) + `": 71 characters, must be at most 70`},
		{"gap in attributes", "cup,Cup,,,,,,,,Size,,,,,,,,,,", `line 3, column attribute2_en: "Size": the attribute before it must not be empty`},
		{"value missing", "mug,,,,,,,,,,,,MUG-B,1,,,,,,", `line 3, column value1_en: "": must not be empty: the product has the attribute`},
		{"value too many", "mug,,,,,,,,,,Blue,Big,MUG-B,1,,,,,,", `line 3, column value2_en: "Big": must be empty: the product does not have the attribute`},
		{"values twice", "mug,,,,,,,,,,Red,,MUG-B,1,,,,,,", `line 3, column handle: "mug": line 2 has the same values already`},
		{"SKU twice", "mug,,,,,,,,,,Blue,,MUG-R,1,,,,,,", `line 3, column sku: "MUG-R": must be unique: line 2 has it already`},
		{"another brand", "mug,,,,,,,Theirs,,,Blue,,MUG-B,1,,,,,,", `line 3, column brand: "Theirs": must be empty, or the same as in line 2`},
		{"price", "mug,,,,,,,,,,Blue,,MUG-B,-1,,,,,,", `line 3, column price: "-1": must be an amount with at most two decimals, such as 12.50`},
		{"decimals", "mug,,,,,,,,,,Blue,,MUG-B,1.005,,,,,,", `line 3, column price: "1.005": must be an amount with at most two decimals, such as 12.50`},
		{"promotion above the price", "mug,,,,,,,,,,Blue,,MUG-B,1,1.00,,,,,", `line 3, column promotional_price: "1.00": must be less than the price`},
		{"promotion without price", "mug,,,,,,,,,,Blue,,MUG-B,,1,,,,,", `line 3, column promotional_price: "1": must be less than the price`},
		{"stock", "mug,,,,,,,,,,Blue,,MUG-B,1,,1.5,,,,", `line 3, column stock: "1.5": must be a number of pieces, or nothing for unlimited stock`},
		{"weight", "mug,,,,,,,,,,Blue,,MUG-B,1,,,0.3 kg,,,", `line 3, column weight: "0.3 kg": must be a number with at most 3 decimals, such as 0.25`},
		{"width", "mug,,,,,,,,,,Blue,,MUG-B,1,,,,0.125,,", `line 3, column width: "0.125": must be a number with at most 2 decimals, such as 0.25`},
		{"check digit", "mug,,,,,,,,,,Blue,,MUG-B,1,,,,,20000002,", `line 3, column barcode: "20000002": must be a GTIN of 8, 12, 13 or 14 digits with a correct check digit`},
		{"image", "mug,,,,,,,,,,Blue,,MUG-B,1,,,,,,http://img.example.com/a.jpg", `line 3, column image_src: "http://img.example.com/a.jpg": must be an https URL`},
		{"cells missing", "mug,,", "line 3: wrong number of fields"},
		{"open quote", "mug,\"Mug\n,,\n,,", `line 3: extraneous or missing " in quoted-field; nothing up to line 5 was read`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := parseCatalog(strings.NewReader(header + good + tt.row + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if len(c.problems) != 1 || c.problems[0].String() != tt.want {
				t.Errorf("got problems %v, want %s", c.problems, tt.want)
			}
			if c.rows != 2 || c.left != 1 || len(c.products) != 1 || c.variants() != 1 {
				t.Errorf("got %d rows, %d left out, %d products and %d variants, want 2, 1, 1 and 1", c.rows, c.left, len(c.products), c.variants())
			}
		})
	}
}

// A product whose own columns are bad takes its rows with it, and nothing else.
func TestBadProduct(t *testing.T) {
	c, err := parseCatalog(strings.NewReader("handle,name_en,published,sku\ncup,Cup,maybe,A\ncup,,,B\nmug,Mug,true,A\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range c.problems {
		got = append(got, p.String())
	}
	want := []string{
		`line 2, column published: "maybe": must be true or false`,
		`line 3, column handle: "cup": its product was left out, see line 2`,
	}
	if !slices.Equal(got, want) || c.left != 2 || len(c.products) != 1 || c.products[0].handle != "mug" {
		t.Errorf("got problems %q, %d rows left out and %d products, want %q, 2 and the mug", got, c.left, len(c.products), want)
	}
}

func TestHeader(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", "reading the header: EOF"},
		{"no handle", "name_en\n", "the header has no column handle"},
		{"no name", "handle,price\n", "the header has no column handle, or no name_XX"},
		{"unknown", "handle,name_en,prize\n", `column "prize" must be one of the columns in -h`},
		{"language without names", "handle,name_en,description_pt\n", `column "description_pt" must be one of the columns in -h`},
		{"twice", "handle,name_en,name_en\n", `column "name_en" must not be there twice`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := parseCatalog(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want %s", err, tt.want)
			}
		})
	}
}

// Spreadsheets write a byte order mark, and some separate cells by semicolons.
func TestSpreadsheetForms(t *testing.T) {
	c, err := parseCatalog(strings.NewReader("\ufeffhandle;name_pt;price\r\ncaneca;\"Caneca; grande\";12.50\r\n"))
	if err != nil || len(c.problems) > 0 || len(c.products) != 1 {
		t.Fatalf("got %d products, problems %v and error %v, want one product", len(c.products), c.problems, err)
	}
	if got := c.products[0].input.Name["pt"]; got != "Caneca; grande" {
		t.Errorf("got name %q", got)
	}
}
