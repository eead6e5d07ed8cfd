package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
)

// demonstrated is the catalog of the demonstration, so that the program also runs by its version, without a checkout.
//
//go:embed catalog.csv
var demonstrated string

// catalog is the content of a CSV file.
type catalog struct {
	rows      int
	left      int // rows that were left out
	languages []string
	products  []*product // in the order of the file
	problems  []problem
}

// product is one product of the file.
type product struct {
	handle string
	line   int
	input  client.ProductInput
	path   []client.Text // of its category, from the top; empty without one

	first  []string       // the cells of its first row
	bad    bool           // its own columns are wrong, so none of its rows counts
	values map[string]int // line by values, of its variants

	made *client.Product // the platform's answer; nil if it was not imported
}

// problem is the reason why a row was left out.
type problem struct {
	line                int
	column, value, rule string
}

func (p problem) String() string {
	if p.column == "" {
		return fmt.Sprintf("line %d: %s", p.line, p.rule)
	}
	return fmt.Sprintf("line %d, column %s: %.60q: %s", p.line, p.column, p.value, p.rule)
}

func (c *catalog) variants() int {
	n := 0
	for _, p := range c.products {
		n += len(p.input.Variants)
	}
	return n
}

// readCatalog reads the file and reports its problems.
func (s *session) readCatalog(context.Context) error {
	file := io.Reader(strings.NewReader(demonstrated))
	if s.o.csv == "" {
		s.o.csv = "catalog.csv of the program"
	} else {
		f, err := os.Open(s.o.csv)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // it was only read
		file = f
	}
	var err error
	if s.catalog, err = parseCatalog(file); err != nil {
		return fmt.Errorf("%s: %w", s.o.csv, err)
	}
	c := &s.catalog
	s.t.note("%s: %s, %d products with %d variants in %s", s.o.csv, count(c.rows, "row", "rows"), len(c.products), c.variants(), strings.Join(c.languages, ", "))
	if c.left > 0 {
		s.t.note("left out: %s", count(c.left, "row", "rows"))
	}
	for _, p := range c.problems {
		s.t.note("  %s", p)
	}
	if len(c.products) == 0 {
		return fmt.Errorf("%s: no row can be imported", s.o.csv)
	}
	return nil
}

// parseCatalog reads all rows. Bad rows become problems. An error means that the file is no catalog.
func parseCatalog(r io.Reader) (catalog, error) {
	sheet, err := newSheet(r)
	if err != nil {
		return catalog{}, err
	}
	c := catalog{languages: sheet.languages}
	known := map[string]*product{}
	for {
		row, err := sheet.next()
		if errors.Is(err, io.EOF) {
			break
		}
		c.rows++
		if parse, ok := errors.AsType[*csv.ParseError](err); ok {
			c.leave(unreadable(parse))
			continue
		}
		if err != nil {
			return c, err
		}
		c.add(row, known)
	}
	c.products = slices.DeleteFunc(c.products, func(p *product) bool { return p.bad || len(p.input.Variants) == 0 })
	return c, nil
}

// unreadable is a row that is not valid CSV. An open quote may include the rows after it.
func unreadable(err *csv.ParseError) problem {
	p := problem{line: err.StartLine, rule: err.Err.Error()}
	if err.Line > err.StartLine {
		p.rule = fmt.Sprintf("%s; nothing up to line %d was read", p.rule, err.Line)
	}
	return p
}

// add adds the variant of a row to its product.
func (c *catalog) add(r *row, known map[string]*product) {
	handle := r.handle()
	if handle == "" {
		c.leave(r.problems...)
		return
	}
	p := known[handle]
	switch {
	case p == nil:
		p = r.product(handle)
		p.bad = len(r.problems) > 0
		known[handle] = p
		c.products = append(c.products, p)
	case p.bad:
		r.refuse("handle", fmt.Sprintf("its product was left out, see line %d", p.line))
	default:
		r.repeats(p)
	}
	if p.bad {
		c.leave(r.problems...)
		return
	}
	v := r.variant(p)
	if len(r.problems) > 0 {
		c.leave(r.problems...)
		return
	}
	r.keep(p, v)
}

// leave skips a row.
func (c *catalog) leave(because ...problem) {
	c.left++
	c.problems = append(c.problems, because...)
}

// sheet reads the rows of a file by the names of its columns.
type sheet struct {
	csv       *csv.Reader
	columns   []string
	index     map[string]int
	languages []string
	skus      map[string]int // line by SKU, of the rows that are good
}

// newSheet reads the header. Spreadsheets of countries with a decimal comma separate cells by semicolons.
func newSheet(r io.Reader) (*sheet, error) {
	buffered := bufio.NewReader(r)
	start, _ := buffered.Peek(1024) // a shorter file is handled below
	start = bytes.TrimPrefix(start, []byte("\ufeff"))
	header, _, _ := bytes.Cut(start, []byte("\n"))
	s := &sheet{csv: csv.NewReader(buffered), index: map[string]int{}, skus: map[string]int{}}
	if bytes.Contains(header, []byte(";")) && !bytes.Contains(header, []byte(",")) {
		s.csv.Comma = ';'
	}
	columns, err := s.csv.Read()
	if err != nil {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	for i, name := range columns {
		name = strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))
		if _, twice := s.index[name]; twice {
			return nil, fmt.Errorf("column %q must not be there twice", name)
		}
		s.columns = append(s.columns, name)
		s.index[name] = i
		if language, ok := strings.CutPrefix(name, "name_"); ok {
			s.languages = append(s.languages, language)
		}
	}
	return s, s.check()
}

// check rejects a header without the required columns, or with unknown columns.
func (s *sheet) check() error {
	if _, ok := s.index["handle"]; !ok || len(s.languages) == 0 {
		return errors.New("the header has no column handle, or no name_XX: must have both")
	}
	known := []string{
		"handle", "brand", "tags", "published", "free_shipping", "seo_title", "seo_description", "sku", "price",
		"promotional_price", "stock", "weight", "width", "height", "depth", "barcode", "image_src",
	}
	for _, language := range s.languages {
		known = append(known, "name_"+language, "description_"+language, "category_"+language)
		for n := 1; n <= client.MaxAttributes; n++ {
			known = append(known, fmt.Sprintf("attribute%d_%s", n, language), fmt.Sprintf("value%d_%s", n, language))
		}
	}
	for _, column := range s.columns {
		if !slices.Contains(known, column) {
			return fmt.Errorf("column %q must be one of the columns in -h", column)
		}
	}
	return nil
}

// ofProduct reports whether a column is about the product and not about one variant.
func ofProduct(column string) bool {
	switch column {
	case "sku", "price", "promotional_price", "stock", "weight", "width", "height", "depth", "barcode", "image_src":
		return false
	}
	return !strings.HasPrefix(column, "value")
}

func (s *sheet) next() (*row, error) {
	cells, err := s.csv.Read()
	if err != nil {
		return nil, err
	}
	line, _ := s.csv.FieldPos(0)
	return &row{sheet: s, cells: cells, line: line}, nil
}
