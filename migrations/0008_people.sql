-- +goose Up

-- Totals for each user's reviews. A trigger updates them in the transaction that inserts a review.
ALTER TABLE users
    ADD COLUMN reviews integer NOT NULL DEFAULT 0 CHECK (reviews >= 0),          -- number of all reviews
    ADD COLUMN ratings integer NOT NULL DEFAULT 0 CHECK (ratings >= 0),          -- number of reviews that count
    ADD COLUMN stars   bigint  NOT NULL DEFAULT 0 CHECK (stars BETWEEN ratings AND 5 * ratings),
    ADD CHECK (ratings <= reviews);

-- Columns for searching humans. They are all in one table so that one index can support each
-- filter.
ALTER TABLE humans
    ADD COLUMN place    text         COLLATE "C" CHECK (char_length(place) <= 2000), -- the location without case and accents
    ADD COLUMN search   tsvector     NOT NULL DEFAULT '',
    ADD COLUMN verified boolean      NOT NULL DEFAULT false,
    ADD COLUMN rating   numeric(3,2) CHECK (rating BETWEEN 1 AND 5),
    ADD CHECK (place IS NULL OR location IS NOT NULL);

UPDATE users u
SET reviews = r.reviews, ratings = r.ratings, stars = r.stars
FROM (SELECT subject_id, count(*) AS reviews, count(*) FILTER (WHERE counts) AS ratings,
             coalesce(sum(rating) FILTER (WHERE counts), 0) AS stars
      FROM reviews
      GROUP BY subject_id) r
WHERE r.subject_id = u.id;
UPDATE humans h
SET place = lower(h.location),
    search = to_tsvector('simple', u.name || ' ' || u.bio || ' ' || array_to_string(h.skills, ' ')),
    verified = u.verified_at IS NOT NULL,
    rating = round(u.stars::numeric / nullif(u.ratings, 0), 2)
FROM users u
WHERE u.id = h.id;

-- +goose StatementBegin
CREATE FUNCTION count_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE users
    SET reviews = reviews + 1,
        ratings = ratings + CASE WHEN new.counts THEN 1 ELSE 0 END,
        stars = stars + CASE WHEN new.counts THEN new.rating ELSE 0 END
    WHERE id = new.subject_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER reviews_count AFTER INSERT ON reviews
    FOR EACH ROW EXECUTE FUNCTION count_review();

-- If a row in users changes, a trigger updates the corresponding row in humans, whose trigger then
-- updates the search columns.
-- +goose StatementBegin
CREATE FUNCTION describe_human() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    u users;
BEGIN
    SELECT * INTO u FROM users WHERE id = new.id;
    new.search := to_tsvector('simple', u.name || ' ' || u.bio || ' ' || array_to_string(new.skills, ' '));
    new.verified := u.verified_at IS NOT NULL;
    new.rating := round(u.stars::numeric / nullif(u.ratings, 0), 2);
    RETURN new;
END $$;
-- +goose StatementEnd
CREATE TRIGGER humans_describe BEFORE INSERT OR UPDATE ON humans
    FOR EACH ROW EXECUTE FUNCTION describe_human();

-- +goose StatementBegin
CREATE FUNCTION touch_human() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE humans SET id = id WHERE id = new.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_touch_human AFTER UPDATE OF name, bio, verified_at, ratings, stars ON users
    FOR EACH ROW WHEN (new.kind = 'human') EXECUTE FUNCTION touch_human();

CREATE INDEX humans_search_idx ON humans USING gin (search) WHERE available;
CREATE INDEX humans_place_idx ON humans (place, id) WHERE available;
CREATE INDEX humans_rating_idx ON humans (rating, id) WHERE available;
CREATE INDEX humans_verified_idx ON humans (id) WHERE available AND verified;
CREATE INDEX humans_remote_idx ON humans (id) WHERE available AND remote;
CREATE INDEX tasks_completed_idx ON tasks (human_id) WHERE status = 'approved';

-- +goose Down
DROP INDEX humans_remote_idx;
DROP INDEX tasks_completed_idx;
DROP TRIGGER users_touch_human ON users;
DROP TRIGGER humans_describe ON humans;
DROP TRIGGER reviews_count ON reviews;
DROP FUNCTION touch_human;
DROP FUNCTION describe_human;
DROP FUNCTION count_review;
ALTER TABLE humans DROP COLUMN place, DROP COLUMN search, DROP COLUMN verified, DROP COLUMN rating;
ALTER TABLE users DROP COLUMN reviews, DROP COLUMN ratings, DROP COLUMN stars;
