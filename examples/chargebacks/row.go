package main

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/disputes"
)

// row is a line of the processor's file: a chargeback as it is now.
type row struct {
	chargeback, order, payment string

	input   disputes.Input  // opens the dispute
	update  disputes.Update // has the present status
	problem error           // the first cell that could not be read
}

// readRows reads a file. Its first line has the names of the columns.
func readRows(file string) ([]row, error) {
	lines, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, line := range lines[min(1, len(lines)):] {
		c := cells{text: map[string]string{}}
		for i, cell := range line {
			c.text[lines[0][i]] = cell
		}
		rows = append(rows, c.row())
	}
	return rows, nil
}

// cells reads the typed cells of a line and keeps the first problem.
type cells struct {
	text    map[string]string
	problem error
}

func (c *cells) row() row {
	amount, withheld := c.amount("amount"), c.amount("withheld")
	r := row{chargeback: c.text["chargeback"], order: c.text["order"], payment: c.text["payment"]}
	r.input = disputes.Input{
		Reason: disputes.Reason(c.text["reason"]), ExternalReason: c.text["network_code"],
		Amount: amount, RetainedTotal: withheld, InitiatedAt: parsed(c, "opened", client.ParseTime),
	}
	r.update = disputes.Update{
		Status: disputes.Status(c.text["status"]), RetainedTotal: withheld, ClosedAt: parsed(c, "closed", client.ParseTime),
	}
	r.problem = c.problem
	return r
}

func (c *cells) amount(column string) disputes.Amount {
	return disputes.Amount{Value: parsed(c, column, client.ParseMoney), Currency: c.text["currency"]}
}

// parsed reads a cell. An empty one is the zero value.
func parsed[T any](c *cells, column string, parse func(string) (T, error)) (v T) {
	if c.text[column] == "" {
		return v
	}
	v, err := parse(c.text[column])
	if err != nil && c.problem == nil {
		c.problem = fmt.Errorf("%s: %w", column, err)
	}
	return v
}
