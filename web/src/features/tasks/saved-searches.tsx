import { Bookmark, BookmarkPlus, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { BoardParams } from '@/lib/board-params'
import { classNames } from '@/lib/class-names'
import {
  describeSearch,
  longestName,
  maxSearches,
  type SavedSearch,
  sameSearch,
  savedSearches,
} from '@/lib/saved-searches'
import { useStoredValue } from '@/lib/stored-value'
import { messages } from '@/messages/board'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { Form } from '@/ui/form'
import { toast } from '@/ui/toast'

interface Props {
  params: BoardParams
  symbol: string
  onChoose: (params: BoardParams) => void
}

/** The saved searches, which are stored in this browser. */
export function SavedSearches({ params, symbol, onChoose }: Props) {
  const searches = useStoredValue(savedSearches)
  const asks = Object.keys(params).length > 0
  const saved = searches.some((each) => sameSearch(each.params, params))
  const save = () => {
    savedSearches.set([...searches, { name: describeSearch(params, symbol), params }])
    toast(messages.saved)
  }
  return (
    <div className="grid gap-3">
      {asks && !saved && searches.length < maxSearches && (
        <Button variant="secondary" size="small" className="justify-self-start" onClick={save}>
          <BookmarkPlus aria-hidden className="size-4" />
          {messages.saveSearch}
        </Button>
      )}
      {searches.length > 0 && (
        <section aria-labelledby="saved">
          <h2 id="saved" className="mb-1.5 text-[0.9375rem] font-medium">
            {messages.savedSearches}
          </h2>
          <ul className="grid gap-0.5">
            {searches.map((search, place) => (
              <Saved
                key={JSON.stringify(search.params)}
                search={search}
                isOn={sameSearch(search.params, params)}
                onChoose={() => onChoose(search.params)}
                onRename={(name) => savedSearches.set(searches.with(place, { ...search, name }))}
                onRemove={() => savedSearches.set(searches.toSpliced(place, 1))}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

interface SavedProps {
  search: SavedSearch
  /** Whether this saved search equals the current one. */
  isOn: boolean
  onChoose: () => void
  onRename: (name: string) => void
  onRemove: () => void
}

const toolClass =
  'grid size-8 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink'

function Saved({ search, isOn, onChoose, onRename, onRemove }: SavedProps) {
  const [renaming, setRenaming] = useState(false)
  if (renaming) {
    const done = (name: string | undefined) => {
      setRenaming(false)
      if (name) onRename(name)
    }
    return <Rename name={search.name} onDone={done} />
  }
  return (
    <li className="-mx-2 flex items-center gap-0.5">
      <button
        type="button"
        aria-pressed={isOn}
        onClick={onChoose}
        className={classNames(
          'flex min-w-0 flex-1 items-center gap-2 rounded-lg px-2 py-1.5 text-left text-[0.9375rem] hover:bg-sunken',
          isOn && 'font-medium text-accent',
        )}
      >
        <Bookmark aria-hidden className={classNames('size-4 shrink-0', isOn && 'fill-current')} />
        <bdi className="truncate">{search.name}</bdi>
      </button>
      <button
        type="button"
        aria-label={messages.rename(search.name)}
        onClick={() => setRenaming(true)}
        className={toolClass}
      >
        <Pencil aria-hidden className="size-4" />
      </button>
      <button
        type="button"
        aria-label={messages.delete(search.name)}
        onClick={onRemove}
        className={toolClass}
      >
        <Trash2 aria-hidden className="size-4" />
      </button>
    </li>
  )
}

function Rename({ name, onDone }: { name: string; onDone: (name: string | undefined) => void }) {
  const [text, setText] = useState(name)
  return (
    <li>
      <Form
        onSubmit={() => onDone(text.trim() || undefined)}
        className="grid gap-2 rounded-xl bg-sunken p-3"
      >
        <TextField
          label={messages.searchName}
          value={text}
          maxLength={longestName}
          autoFocus
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onDone(undefined)}
        />
        <div className="flex gap-2">
          <Button type="submit" size="small">
            {common.save}
          </Button>
          <Button variant="quiet" size="small" onClick={() => onDone(undefined)}>
            {common.cancel}
          </Button>
        </div>
      </Form>
    </li>
  )
}
