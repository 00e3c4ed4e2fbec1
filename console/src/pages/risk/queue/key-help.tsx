/** The keys of the queue. Phones have none. */
export function KeyHelp({ mayDecide }: { mayDecide: boolean }) {
  return (
    <p className="key-help">
      <span>
        <kbd>j</kbd> <kbd>k</kbd> or <kbd>↓</kbd> <kbd>↑</kbd> next and previous
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
      {mayDecide && (
        <>
          <span>
            <kbd>a</kbd> approve
          </span>
          <span>
            <kbd>r</kbd> reject
          </span>
          <span>
            <kbd>x</kbd> select
          </span>
        </>
      )}
    </p>
  );
}
