package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
)

// lockTimeout is the time for which a statement of the service waits for a lock.
const lockTimeout = 3 * time.Second

// Timeouts are the time limits of a session. Zero means no limit. Each must be a whole number of
// seconds below a minute, or of milliseconds below a second, because PostgreSQL shows other values
// in other units, and statement compares them as text.
type Timeouts struct{ Statement, Lock, Idle time.Duration }

// ServiceTimeouts are the limits of the service's sessions.
var ServiceTimeouts = Timeouts{Statement: 5 * time.Second, Lock: lockTimeout, Idle: 10 * time.Second}

// Settings returns the limits as PostgreSQL's settings.
func (t Timeouts) Settings() map[string]string {
	settings := make(map[string]string)
	for name, limit := range map[string]time.Duration{
		"statement_timeout": t.Statement, "lock_timeout": t.Lock, "idle_in_transaction_session_timeout": t.Idle,
	} {
		settings[name] = "0"
		if limit > 0 {
			settings[name] = limit.String()
		}
	}
	return settings
}

// statement returns a statement that applies the limits to a session. It changes only settings
// that differ: behind a proxy in transaction mode, the settings of the role must have these values,
// because a change would apply to a connection that other sessions share.
func (t Timeouts) statement() string {
	var wanted []string
	for name, value := range t.Settings() {
		wanted = append(wanted, "('"+name+"', '"+value+"')")
	}
	return "SELECT set_config(name, value, false) FROM (VALUES " + strings.Join(wanted, ", ") +
		") AS wanted (name, value) WHERE current_setting(name) <> value"
}

// Open returns a pool whose sessions have the limits, without connecting to the database. The
// limits are set after connecting, because PgBouncer rejects them as start-up parameters. open opens
// the pool; sql.OpenDB does so without measurements.
func Open(databaseURL string, limits Timeouts, open func(driver.Connector) *sql.DB) (*sqlx.DB, error) {
	dsn, err := withParameters(databaseURL, map[string]string{
		// PgBouncer accepts these start-up parameters.
		"timezone":         "UTC",
		"application_name": applicationName,
		// The driver escapes bytes for bytea but not for a domain over bytea. The binary format
		// needs no escaping.
		"binary_parameters": "yes",
	})
	if err != nil {
		return nil, err
	}
	c, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return sqlx.NewDb(open(connector{c, limits}), "postgres"), nil
}

// applicationName is the name of the sessions in pg_stat_activity.
const applicationName = "taskmarket"

// connector opens connections with deadlines and applies the limits to each new session.
type connector struct {
	*pq.Connector
	limits Timeouts
}

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	clone, dialer := *c.Connector, new(sessionDialer)
	clone.Dialer(dialer)
	conn, err := clone.Connect(ctx)
	if err != nil {
		return nil, err
	}
	dialer.opened.Store(true)
	session, ok := conn.(sessionConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("configure a session: %T cannot run statements", conn), conn.Close())
	}
	bound := &boundConn{sessionConn: session, socket: dialer.socket, limit: c.limits.Statement}
	configuring, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	if _, err = bound.ExecContext(configuring, c.limits.statement(), nil); err == nil {
		err = bound.socket.SetDeadline(time.Time{})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("configure a session: %w", err), conn.Close())
	}
	return bound, nil
}

// ListenDSN returns the connection string for a session that waits for notifications.
func ListenDSN(databaseURL string) (string, error) {
	// The driver's listener has no context that would limit the time to connect.
	return withParameters(databaseURL, map[string]string{"application_name": applicationName, "connect_timeout": "10"})
}

// PlaintextHosts returns the hosts of the URL that a connection may reach over a network without TLS.
func PlaintextHosts(databaseURL string) ([]string, error) {
	c, err := pq.NewConfig(databaseURL)
	if invalid, ok := errors.AsType[*url.Error](err); ok {
		err = invalid.Err // without the URL, which contains the password
	}
	if err != nil {
		return nil, fmt.Errorf("read the database URL: %w", err)
	}
	if !slices.Contains([]pq.SSLMode{pq.SSLModeDisable, pq.SSLModeAllow, pq.SSLModePrefer}, c.SSLMode) {
		return nil, nil
	}
	var plain []string
	for _, server := range append([]pq.ConfigMultihost{{Host: c.Host, Hostaddr: c.Hostaddr}}, c.Multi...) {
		host := server.Host
		if server.Hostaddr.IsValid() {
			host = server.Hostaddr.String()
		}
		socket := strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@")
		if ip, err := netip.ParseAddr(host); !socket && host != "localhost" && (err != nil || !ip.IsLoopback()) {
			plain = append(plain, host)
		}
	}
	return plain, nil
}

// withParameters adds driver and start-up parameters to a connection URL.
func withParameters(databaseURL string, parameters map[string]string) (string, error) {
	u, err := url.Parse(databaseURL)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return "", market.Errorf(market.KindInvalid, "a database URL must look like postgres://user:password@host:port/name or, "+
			"with several hosts, postgres://user:password@host1,host2/name?port=5432,5433&target_session_attrs=read-write")
	}
	query := u.Query()
	for name, value := range parameters {
		query.Set(name, value)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}
