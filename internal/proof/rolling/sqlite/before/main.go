package main

import (
	"fmt"
	"os"

	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
	"github.com/commerceplatform/commerce-go/internal/proof/rolling/sqlite"
)

func main() {
	fmt.Fprintln(os.Stderr, replica.Run(rollingapp.Open, nil))
	os.Exit(1)
}
