/** Every figure of every Project as a row: `project_id, subject, part, name, value`. */
export const EACH_FIGURE = `(select f.project_id, f.subject, f.part, e.key as name, e.value::numeric as value
  from figures f cross join lateral jsonb_each_text(f.numbers
    || case when f.referred is null then '{}' else jsonb_build_object('referred', f.referred::text) end) as e)`;
