// A window of WebKitGTK that WebKitWebDriver drives: `gjs -m webkit-browser.js FOLDER [no-storage]`. The MiniBrowser of Debian stores nothing
// on the disk while it is driven, so it could not be killed and opened again on what it has stored.

import Gtk from 'gi://Gtk?version=3.0'
import WebKit2 from 'gi://WebKit2?version=4.1'
import System from 'system'

const [folder, settings] = System.programArgs

Gtk.init(null)
// the page's prefers-reduced-motion
Gtk.Settings.get_default().gtk_enable_animations = false

const webContext = WebKit2.WebContext.new_with_website_data_manager(
  new WebKit2.WebsiteDataManager({ base_data_directory: `${folder}/data`, base_cache_directory: `${folder}/cache` }),
)
webContext.set_preferred_languages(['en-US'])
webContext.set_automation_allowed(true)

const view = new WebKit2.WebView({ web_context: webContext, is_controlled_by_automation: true })
if (settings === 'no-storage') Object.assign(view.get_settings(), { enable_html5_local_storage: false, enable_html5_database: false })
view.connect('close', () => Gtk.main_quit())
// a page that is cut stays as it is; without this GTK, unlike Safari, shows a page of its own in its place
view.connect('load-failed', (_, event) => event === WebKit2.LoadEvent.COMMITTED)

webContext.connect('automation-started', (_, session) => {
  const information = new WebKit2.ApplicationInfo()
  information.set_name('WebKitGTK')
  session.set_application_info(information)
  session.connect('create-web-view', () => view)
})

const window = new Gtk.Window({ default_width: 1280, default_height: 900 })
window.add(view)
window.show_all()
Gtk.main()
