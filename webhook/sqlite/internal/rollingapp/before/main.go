package main

import (
	"fmt"
	"os"

	"github.com/commerceplatform/commerce-go/internal/rolling/replica"
	"github.com/commerceplatform/commerce-go/webhook/sqlite/internal/rollingapp"
)

func main() {
	fmt.Fprintln(os.Stderr, replica.Run(rollingapp.Open, nil))
	os.Exit(1)
}
