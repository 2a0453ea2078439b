package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

// bareRows is the maximum number of rows that a bare handler returns: the size of the service's pages.
const bareRows = 20

// serveBare serves the bare handlers until ctx ends: for each endpoint, one that runs the endpoint's
// statement with the same web framework and driver as the service and encodes the rows. It shows what the
// libraries cost without our code: no authentication, rate limits, validation or logging.
func serveBare(ctx context.Context, _ io.Writer) error {
	c, err := readServeConfig()
	if err != nil {
		return err
	}
	db, err := sql.Open("postgres", c.DatabaseURL)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer db.Close()
	db.SetMaxIdleConns(workers)
	db.SetMaxOpenConns(workers)
	e := echo.New()
	for i, q := range endpoints {
		statement, err := db.PrepareContext(ctx, q.sql)
		if err != nil {
			return fmt.Errorf("prepare the statement of %s: %w", q.name, err)
		}
		defer statement.Close()
		e.Add(q.method, "/"+strconv.Itoa(i), (&bare{statement: statement, status: q.status}).serve)
	}
	return listenAndServe(ctx, c.Listen, e)
}

// bare is a handler that runs a statement.
type bare struct {
	statement *sql.Stmt
	status    int
	once      sync.Once
	row       reflect.Type // a struct with a field for each column
}

func (b *bare) serve(c echo.Context) error {
	args, err := bareArgs(c)
	if err != nil {
		return err
	}
	rows, err := b.statement.QueryContext(c.Request().Context(), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	b.once.Do(func() { b.row, err = rowType(rows) })
	if err != nil {
		return err
	}
	list := reflect.MakeSlice(reflect.SliceOf(b.row), 0, bareRows)
	row, members := reflect.New(b.row).Elem(), make([]any, b.row.NumField())
	for i := range members {
		members[i] = row.Field(i).Addr().Interface()
	}
	for rows.Next() {
		if err := rows.Scan(members...); err != nil {
			return err
		}
		if list.Len() < bareRows {
			list = reflect.Append(list, row)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.JSON(b.status, list.Interface())
}

// rowType returns a struct type for the columns. NULL values are omitted from its JSON, as in the
// service's responses.
func rowType(rows *sql.Rows) (reflect.Type, error) {
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	fields := make([]reflect.StructField, len(columns))
	for i, column := range columns {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: memberType(column.ScanType()),
			Tag: reflect.StructTag(fmt.Sprintf(`json:"member_name_%d,omitempty"`, i)),
		}
	}
	return reflect.StructOf(fields), nil
}

func memberType(scanned reflect.Type) reflect.Type {
	switch scanned.Kind() { //nolint:exhaustive // the driver returns all other kinds as texts
	case reflect.Int64, reflect.Int32, reflect.Int16:
		return reflect.TypeFor[*int64]()
	case reflect.Bool:
		return reflect.TypeFor[*bool]()
	case reflect.Slice:
		return reflect.TypeFor[[]byte]()
	case reflect.Struct:
		return reflect.TypeFor[*time.Time]()
	}
	return reflect.TypeFor[*string]()
}

// bareArgs returns the statement's arguments: the values of the query parameter a, or the elements of a
// JSON body.
func bareArgs(c echo.Context) ([]any, error) {
	texts := c.QueryParams()["a"]
	if c.Request().Method == http.MethodPost {
		if err := json.NewDecoder(c.Request().Body).Decode(&texts); err != nil {
			return nil, err
		}
	}
	args := make([]any, len(texts))
	for i, text := range texts {
		args[i] = text
	}
	return args, nil
}

// queryBare sends requests to the bare handler of the endpoint and measures what they cost the handler
// and the database.
func (s *service) queryBare(ctx context.Context, q endpoint, window time.Duration) (cpu float64, err error) {
	index := 0
	for i := range endpoints {
		if endpoints[i].name == q.name {
			index = i
		}
	}
	return s.request(ctx, q.status, s.bare, window, func(random *rand.Rand, c caller) message {
		values := url.Values{}
		for _, arg := range q.args(s, random, c) {
			values.Add("a", fmt.Sprint(arg))
		}
		m := message{method: q.method, url: fmt.Sprintf("http://%s/%d", s.bareAddress, index)}
		if q.method == http.MethodGet {
			m.url += "?" + values.Encode()
			return m
		}
		body, _ := json.Marshal(values["a"]) // strings can always be encoded
		m.body = string(body)
		return m
	})
}
