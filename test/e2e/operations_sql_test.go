//go:build operations

package e2e_test

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"taskmarket/store/localpg"
)

// openCluster returns connections to the database of the service.
func openCluster(c *localpg.Cluster) (*sqlx.DB, error) {
	return sqlx.Open("postgres", c.URL(databaseName))
}

// execute runs statements on the cluster as its superuser, each in a transaction of its own.
func execute(c *localpg.Cluster, statements ...string) error {
	db, err := sqlx.Open("postgres", c.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// awaitTrue waits until a query for one boolean value returns true.
func awaitTrue(ctx context.Context, c *localpg.Cluster, query string) error {
	db, err := sqlx.Open("postgres", c.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	for {
		var ok bool
		if err := db.GetContext(ctx, &ok, query); err != nil || ok {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}
