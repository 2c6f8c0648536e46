#!/usr/bin/python3
"""A WebKitGTK window without a toolbar, driven by WebKitWebDriver: it can be as narrow as a phone.

Arguments: the page's size, as in 390x844. The profile lasts as long as the process, as in a private window.
"""
import sys

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gtk, WebKit2  # noqa: E402

WIDTH, HEIGHT = (int(length) for length in sys.argv[1].split('x'))


def show(view):
    window = Gtk.Window()
    window.set_default_size(WIDTH, HEIGHT)
    window.add(view)
    view.connect('close', lambda _: window.destroy())
    # For links that ask for a window of their own
    view.connect('create', lambda opener, _: show(WebKit2.WebView(related_view=opener)))
    window.show_all()
    # No window manager gives it the focus
    window.present()
    return view


def began(context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name('window')
    info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(info)
    session.connect(
        'create-web-view', lambda _: show(WebKit2.WebView(web_context=context, is_controlled_by_automation=True))
    )


context = WebKit2.WebContext(website_data_manager=WebKit2.WebsiteDataManager.new_ephemeral())
context.set_automation_allowed(True)
context.connect('automation-started', began)
Gtk.main()
